// Prefixes of texts that a search for the n best takes up: no more than n distinct ones for each state and length. A text
// outside the n cheapest distinct prefixes of a state has n distinct texts below it, so dropping it is safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controldag/metered.h"
#include "controldag/search.h"

namespace controldag {

class Prefixes {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  Prefixes(size_t n, const Limits& limits, MemoryMeter& meter) : n_(n), limits_(limits), meter_(meter) {}

  // Whether the prefix is one of the n cheapest of its state and length, and cheaper than its text was there before.
  // Estimates under n-gram weights depend on the way to a state: a cheaper prefix may come after dearer ones.
  bool admit(uint32_t state, int32_t tokens, uint64_t hash, float cost) {
    bool added = false;
    const uint64_t place = (uint64_t{state} << 17) | static_cast<uint32_t>(tokens);
    Taken& taken = meter_.at(taken_, place, Taken{0, -kInfinity}, added);
    if (taken.texts >= n_ && !(cost < taken.dearest)) return false;
    if (n_ > 1) {
      const uint64_t mixed = (hash ^ (place * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
      float& known = meter_.at(texts_, (mixed ^ (mixed >> 32)) >> 1, kInfinity, added);
      if (!(cost < known)) return false;
      known = cost;
      if (!added) taken.texts -= taken.texts < n_;  // it takes its own place again
    }
    if (taken.texts < n_) {
      ++taken.texts;
      taken.dearest = std::max(taken.dearest, cost);
    }
    if (++admitted_ > limits_.max_states) throw TooLarge("The number of search states", admitted_, limits_.max_states);
    if (admitted_ % kBetweenLooks == 0) limits_.check_time();
    return true;
  }
  uint64_t admitted() const { return admitted_; }

  // The prefix with one more token.
  uint32_t longer(uint32_t prefix, int32_t emission) {
    meter_.push(tokens_, {prefix, emission});
    return static_cast<uint32_t>(tokens_.size() - 1);
  }
  std::vector<int32_t> emissions(uint32_t prefix) const {
    std::vector<int32_t> found;
    for (; prefix != kNone; prefix = tokens_[prefix].before) found.push_back(tokens_[prefix].emission);
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  // Prefixes taken up between two looks at the clock: well under a millisecond.
  static constexpr uint32_t kBetweenLooks = 64;
  struct Taken {
    uint32_t texts;  // up to n
    float dearest;   // of these
  };
  struct Token {
    uint32_t before;
    int32_t emission;
  };

  size_t n_;
  const Limits& limits_;
  MemoryMeter& meter_;
  uint64_t admitted_ = 0;
  FlatTable<Taken> taken_{1024};  // by state and length: what was taken up
  FlatTable<float> texts_{1024};  // by state, length and text: what it cost
  std::vector<Token> tokens_;
};

}  // namespace controldag
