// What n-gram weights cost at least in this lattice: by vertex, the contexts that can stand before it, cut to a few
// tokens, and what each of its emissions costs after each of them.
#pragma once

#include <cstdint>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/token_weights.h"

namespace controldag {

class NgramContexts {
 public:
  // Starts with contexts of one token, if `most_cells` (emissions after contexts, over all vertices) allow that.
  NgramContexts(const Lattice& lattice, const TokenWeights& weights, size_t most_cells);
  // Takes the longest contexts that fit; false where those are no longer than before.
  bool sharpen(size_t most_cells);
  // By emission: no more than it costs in any context that can precede it.
  const std::vector<float>& floor() const { return floor_; }
  // Whether rows are kept; a lattice with too many of them has the floor alone.
  bool kept() const { return order_ > 0; }
  // A vertex has a row for each context before it; the last vertex one for all.
  uint32_t rows() const { return row_begin_.back(); }
  uint32_t rows_begin(int32_t vertex) const { return row_begin_[vertex]; }
  uint32_t rows_end(int32_t vertex) const { return row_begin_[vertex + 1]; }
  // With the weights' automaton at `state`.
  uint32_t row(int32_t vertex, uint32_t state) const { return row_of(vertex, weights_.cut(state, order_)); }
  uint32_t row_at_start(int32_t vertex) const { return row_of(vertex, 0); }

  // One emission after one context: what it costs at least, and which `Turn` it takes.
  struct Cell {
    float cost;
    uint32_t turn;
  };
  // An emission and the context after it; the turns of a vertex are numbered from 0.
  struct Turn {
    int32_t emission;
    uint32_t context;
  };
  const Cell* cells(int32_t vertex, uint32_t row) const {
    return cells_.data() + cell_begin_[vertex] + size_t{row - row_begin_[vertex]} * emissions(vertex);
  }
  const Turn* turns_begin(int32_t vertex) const { return turns_.data() + turn_begin_[vertex]; }
  const Turn* turns_end(int32_t vertex) const { return turns_.data() + turn_begin_[vertex + 1]; }
  uint32_t row_of(int32_t vertex, uint32_t context) const {
    return vertex == lattice_.last() ? row_begin_[vertex] : *row_.find(key(vertex, context));
  }

 private:
  static uint64_t key(int32_t vertex, uint32_t context) { return (uint64_t(vertex) << 32) | context; }
  size_t emissions(int32_t vertex) const { return size_t(lattice_.emit_begin[vertex + 1] - lattice_.emit_begin[vertex]); }
  bool lay_out(uint32_t order, size_t most_cells);
  void lay_out_vertex(int32_t vertex, std::vector<std::vector<uint32_t>>& contexts);
  const TokenWeights::Step& least_step(uint32_t context, int32_t token);

  const Lattice& lattice_;
  const TokenWeights& weights_;
  uint32_t order_ = 0;               // tokens of a context, at most
  FlatMap step_of_{256};             // (context, token) -> step: neighbouring vertices share most of them
  std::vector<TokenWeights::Step> steps_;
  FlatMap row_{256};                 // (vertex, context) -> row
  std::vector<uint32_t> row_begin_;  // vertices + 1
  std::vector<size_t> cell_begin_;   // by vertex
  std::vector<Cell> cells_;          // rows × emissions of their vertex
  std::vector<uint32_t> turn_begin_;  // vertices + 1
  std::vector<Turn> turns_;
  std::vector<float> floor_;
};

}  // namespace controldag
