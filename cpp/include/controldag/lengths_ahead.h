// What the rest of a text costs at least by how many tokens it has: for searches that weigh lengths.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controldag/length_bound.h"
#include "controldag/metered.h"
#include "controldag/search.h"

namespace controldag {

// By vertex and number of tokens to come, the least cost of going on to the end, constraints left out; with that, the
// least objective that a prefix can come to.
class LengthsAhead {
 public:
  // `floor`: by emission, no more than it costs in any context. Where the tables would take more than a quarter of
  // what the meter allows, costs are left to the other bound and only the numbers of tokens are known.
  LengthsAhead(const Lattice& lattice, const LengthWeights& lengths, std::span<const float> floor, MemoryMeter& meter);

  // A prefix before or after its vertex emits, and what the lexical bound says of it.
  struct Prefix {
    int32_t vertex;
    bool emitted;
    int32_t tokens;  // so far
    float cost;      // so far
    float rest;      // to come, less `reward` for each token to come
    float reward;
  };
  // No text that begins with the prefix has a lower objective; `added`: what every text costs beside its path.
  double least_objective(const Prefix& prefix, double added) const;
  // The same by a bound that knows lengths.
  double least_objective(int32_t tokens, float cost, const LengthBound::Ahead& ahead, double added) const;
  // By number of tokens before the vertex emits: the most that they may have cost, where whole texts of n tokens may
  // cost most_by_tokens[n] (-inf: there are none). Infinite where it is not known.
  void budgets(int32_t vertex, std::span<const double> most_by_tokens, std::vector<float>& most) const;
  // Only texts of these numbers of tokens count from now on.
  void narrow(int32_t least_tokens, int32_t most_tokens) { shortest_ = least_tokens, longest_ = most_tokens; }

 private:
  struct Row {  // of a vertex, before or after it emits: costs by tokens to come, `first` and on
    int32_t first = 0, end = 0;
    uint64_t at = 0;
  };
  void set_ranges(const Lattice& lattice);
  void solve(const Lattice& lattice, std::span<const float> floor, const Limits& limits);

  std::vector<Row> before_, after_;  // by vertex
  std::vector<float> costs_;         // empty: not known
  std::vector<double> weight_;       // by number of tokens; NaN: not allowed
  int32_t shortest_ = 1, longest_;
};

}  // namespace controldag
