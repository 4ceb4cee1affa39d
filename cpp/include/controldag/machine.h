// A deterministic automaton, walked token by token: what every constraint becomes for one search.
#pragma once

#include <cstdint>

namespace controldag {

// What is already known of every continuation of a text.
enum class Verdict : uint8_t { kOpen, kDead, kForever };

// States are small dense integers made on demand. A machine belongs to one search (it caches) and knows the
// lattice's tokens by their index there.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual uint32_t start() = 0;
  // `first`: the token opens the text, whose one leading blank is not part of the surface.
  virtual uint32_t step(uint32_t state, uint32_t token, bool first) = 0;
  // Whether the text read so far, ended here, is accepted.
  virtual bool accepts(uint32_t state) = 0;
  virtual Verdict verdict(uint32_t state) = 0;
};

}  // namespace controldag
