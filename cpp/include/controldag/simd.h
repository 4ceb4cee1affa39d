// The one inner loop that matters, written so that compilers turn it into vector code.
#pragma once

#include <cstdint>

namespace controldag {

// to[i] = min(to[i], from[i] + add), noting `back` where that improved.
inline void relax(float* __restrict to, uint32_t* __restrict backs, const float* __restrict from, int32_t n, float add,
                  uint32_t back) {
  for (int32_t i = 0; i < n; ++i) {
    const float cost = from[i] + add;
    const bool better = cost < to[i];
    to[i] = better ? cost : to[i];
    backs[i] = better ? back : backs[i];
  }
}

}  // namespace controldag
