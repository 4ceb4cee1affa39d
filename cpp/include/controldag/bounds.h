// Admissible bounds: what the rest of any text must cost at least, as far as length and lexical constraints go.
#pragma once

#include <span>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/lexical_closure.h"
#include "controldag/ngram_contexts.h"
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

class SearchSpace;

// Costs relative to a reward of `reward` a token (a Lagrange multiplier for the length): for any number r of
// remaining tokens, the remaining cost is at least remaining(v, s) + reward * r.
//
// It covers the lexical machines that stay small (see LexicalClosure) and leaves the others open: still a bound. Of
// n-gram weights it knows what each token costs at least after the few before it.
class LexicalBound {
 public:
  explicit LexicalBound(const SearchSpace& space);
  // Computes the bound for one reward.
  void solve(float reward);
  // Before vertex v emits, with the machines at these states; infinite when nothing can satisfy the lexical ones.
  float remaining(int32_t vertex, uint32_t lexical, uint32_t wide) const {
    return remaining_[row(vertex, wide) * states_ + closure_.number(lexical_.parts(lexical), lexical)];
  }
  // The least of `remaining` over all states at the vertex.
  float least(int32_t vertex) const { return least_[vertex]; }
  float total() const { return total_; }  // the bound for whole texts

 private:
  size_t row(int32_t vertex, uint32_t wide) const {
    return contexts_ ? contexts_->row(vertex, wide_.parts(wide)[wide_.width() - 1]) : static_cast<size_t>(vertex);
  }
  void solve_by_vertex(float reward);
  void solve_vertex(int32_t vertex, float reward, const std::vector<float>& after);
  void solve_by_context(float reward);
  void solve_context(int32_t vertex, uint32_t row);
  void make_next();

  const Lattice& lattice_;
  std::span<const float> floor_;
  const Product &lexical_, &wide_;
  const LexicalClosure& closure_;
  const NgramContexts* contexts_;  // null: none, and a vertex is a row
  size_t states_;
  std::vector<float> remaining_;  // rows × lexical states
  std::vector<float> least_;
  std::vector<float> class_cost_;                            // scratch: by token class, at the vertex being solved
  std::vector<std::pair<float, uint32_t>> vertex_classes_;  // scratch: its classes, cheapest first
  std::vector<uint32_t> next_;                               // token classes × lexical states, with contexts
  std::vector<float> after_, turned_;                        // scratch: turns of a vertex × lexical states
  float total_ = kInfinity;
};

}  // namespace controldag
