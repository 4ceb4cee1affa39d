#include <algorithm>
#include <cmath>

#include "controldag/bounds.h"

namespace controldag {

int32_t LengthWeights::max_tokens(const Lattice& lattice) const {
  for (int32_t tokens = lattice.vertices() - 2; tokens >= 1; --tokens)
    if (std::isfinite(of_tokens(tokens))) return tokens;
  return -1;
}

LengthProfile::LengthProfile(const Lattice& lattice, std::span<const float> floor, const LengthWeights& lengths,
                             const Limits& limits)
    : width_(lengths.tracked() ? lengths.max_tokens(lattice) + 1 : 1),
      cost_(static_cast<size_t>(lattice.vertices()) * std::max(width_, 0), kInfinity) {
  if (width_ <= 0) return;
  const int32_t shift = lengths.tracked() ? 1 : 0;
  cost_[0] = 0;
  std::vector<float> out(width_);
  for (int32_t v = 0; v < lattice.last(); ++v) {
    float emission = v == 0 ? 0 : kInfinity;
    for (int32_t e = lattice.emit_begin[v]; e < lattice.emit_begin[v + 1]; ++e)
      emission = std::min(emission, floor[e]);
    const float* in = at(v);
    const int32_t moved = v == 0 ? 0 : shift;
    std::fill(out.begin(), out.begin() + moved, kInfinity);
    for (int32_t l = moved; l < width_; ++l) out[l] = in[l - moved] + emission;
    for (int32_t a = lattice.arc_begin[v]; a < lattice.arc_begin[v + 1]; ++a) {
      if (v == 0 && lattice.arc_to[a] == lattice.last()) continue;  // the empty text
      const float arc = lattice.arc_cost[a];
      limits.spend(static_cast<uint64_t>(width_));
      float* into = cost_.data() + static_cast<size_t>(lattice.arc_to[a]) * width_;
      for (int32_t l = 0; l < width_; ++l) into[l] = std::min(into[l], out[l] + arc);
    }
  }
}

}  // namespace controldag
