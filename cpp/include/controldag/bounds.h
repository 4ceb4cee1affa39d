// Admissible bounds: what the rest of any text must cost at least, as far as length and lexical constraints go.
#pragma once

#include <span>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/lexical_closure.h"
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
//
// It covers the lexical machines that stay small (see LexicalClosure) and leaves the others open: still a bound.
class LexicalBound {
 public:
  LexicalBound(const Lattice& lattice, std::span<const float> floor, const Program& program, Product& lexical,
               const Limits& limits);
  // Computes the bound for one reward.
  void solve(float reward);
  // Before vertex v emits, with the lexical machines at `state`; infinite when nothing can satisfy them any more.
  float remaining(int32_t vertex, uint32_t state) const {
    return remaining_[static_cast<size_t>(vertex) * states_ + closure_.number(lexical_.parts(state), state)];
  }
  // The least of `remaining` over all lexical states at the vertex.
  float least(int32_t vertex) const { return least_[vertex]; }
  float total() const { return total_; }  // the bound for whole texts

 private:
  void solve_vertex(int32_t vertex, float reward, const std::vector<float>& after);

  const Lattice& lattice_;
  std::span<const float> floor_;
  const Product& lexical_;
  LexicalClosure closure_;
  size_t states_;
  std::vector<float> remaining_;
  std::vector<float> least_;
  std::vector<float> class_cost_;                            // scratch: by token class, at the vertex being solved
  std::vector<std::pair<float, uint32_t>> vertex_classes_;  // scratch: its classes, cheapest first
  float total_ = kInfinity;
};

}  // namespace controldag
