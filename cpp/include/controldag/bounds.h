// Admissible bounds: what the rest of any text must cost at least, as far as length and lexical constraints go.
#pragma once

#include <span>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/product.h"
#include "controldag/program.h"
#include "controldag/search.h"

namespace controldag {

// The cheapest unconstrained path to each vertex for each number of tokens emitted before it.
class LengthProfile {
 public:
  // `floor`: by emission, no more than it can cost in any context.
  LengthProfile(const Lattice& lattice, std::span<const float> floor, const LengthWeights& lengths);
  int32_t width() const { return width_; }  // max tokens + 1, or 1 where lengths do not matter
  const float* at(int32_t vertex) const { return cost_.data() + static_cast<size_t>(vertex) * width_; }

 private:
  int32_t width_;
  std::vector<float> cost_;
};

// Costs relative to a reward of `reward` a token (a Lagrange multiplier for the length): for any number r of
// remaining tokens, the remaining cost is at least remaining(v, s) + reward * r.
class LexicalBound {
 public:
  // Explores the product of the lattice and the lexical machines alone.
  LexicalBound(const Lattice& lattice, std::span<const float> floor, const Program& program, Product& lexical,
               const Limits& limits);
  // Computes the bound for one reward.
  void solve(float reward);
  // Before vertex v emits, with the lexical machines at `state`; infinite when nothing can satisfy them any more.
  float remaining(int32_t vertex, uint32_t state) const {
    return state < states_ ? remaining_[static_cast<size_t>(vertex) * states_ + state] : kInfinity;
  }
  // The least of `remaining` over all lexical states at the vertex.
  float least(int32_t vertex) const { return least_[vertex]; }
  float total() const { return total_; }  // the bound for whole texts

 private:
  const Lattice& lattice_;
  std::span<const float> floor_;
  size_t states_ = 0;
  std::vector<std::vector<uint64_t>> reached_;  // by vertex: the set of lexical states before it emits
  std::vector<size_t> step_begin_;
  std::vector<uint32_t> steps_;  // by vertex, state and emission: the state after
  std::vector<float> ending_;    // by state: 0 where a text may end, else infinite
  std::vector<float> remaining_;
  std::vector<float> least_;
  float total_ = kInfinity;
};

}  // namespace controldag
