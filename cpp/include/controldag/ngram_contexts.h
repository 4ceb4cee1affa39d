// What n-gram weights cost at least in this lattice: by vertex, the contexts that can stand before it, and what each
// of its emissions costs after each of them. A context is the state of the wide machines, with that of the weights cut
// to a few tokens; what those machines rule out has no place in it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "controldag/context_machine.h"
#include "controldag/lattice.h"
#include "controldag/lexical_closure.h"
#include "controldag/product.h"
#include "controldag/program.h"

namespace controldag {

class NgramContexts {
 public:
  // Starts with contexts of one token, if `most_sums` (those of the bound for one reward) allow that; the other wide
  // machines are left out where there is no room for them. `weights`: the last of the program's wide machines.
  NgramContexts(const Lattice& lattice, const ContextMachine& weights, const Program& program,
                const LexicalClosure& closure, size_t most_sums);
  // Takes the longest contexts that fit; false where those are no longer than before.
  bool sharpen(size_t most_sums);
  // By emission: no more than it costs in any context that can precede it.
  const std::vector<float>& floor() const { return floor_; }
  // Whether rows are kept; a lattice with too many of them has the floor alone.
  bool kept() const { return order_ > 0; }

  // One emission after one context: what it costs at least, and which `Turn` it takes.
  struct Cell {
    float cost;  // infinite where nothing goes on from there
    uint32_t turn;
  };
  // An emission and the context after it; the turns of a vertex are numbered from 0.
  struct Turn {
    int32_t emission;
    uint32_t context;
  };
  // A vertex has a row for each context before it. The last vertex has none.
  uint32_t rows() const { return row_begin_.back(); }
  uint32_t rows_begin(int32_t vertex) const { return row_begin_[vertex]; }
  uint32_t rows_end(int32_t vertex) const { return row_begin_[vertex + 1]; }
  uint32_t context(uint32_t row) const { return context_[row]; }
  const Cell* cells(int32_t vertex, uint32_t row) const {
    return cells_.data() + cell_begin_[vertex] + size_t{row - row_begin_[vertex]} * emissions(vertex);
  }
  // By arc of the vertex: the row of its end in the turn's context, counted from that vertex's first.
  const uint32_t* rows_after(int32_t vertex, uint32_t turn) const {
    return turn_rows_.data() + turn_rows_begin_[vertex] + size_t{turn} * arcs(vertex);
  }
  const Turn* turns_begin(int32_t vertex) const { return turns_.data() + turn_begin_[vertex]; }
  const Turn* turns_end(int32_t vertex) const { return turns_.data() + turn_begin_[vertex + 1]; }
  uint32_t row_of(int32_t vertex, uint32_t context) const { return row_begin_[vertex] + *row_.find(key(vertex, context)); }
  // The context that the wide machines' states are cut to; `wide_state` is the number of their product.
  uint32_t cut(const uint32_t* parts, uint32_t wide_state) const {
    if (wide_state < cut_.size() && cut_[wide_state] != kUnknown) return cut_[wide_state];
    return find_cut(parts, wide_state);
  }
  // Whether the wide machines let a text end in this context.
  bool may_end(uint32_t context) const { return may_end_[context]; }
  // The joint lexical states in which a text can be in this context: a list that several contexts share, by number.
  uint32_t group(uint32_t context) const { return group_[context]; }
  const std::vector<std::vector<uint32_t>>& groups() const { return groups_; }
  // Another number whenever they are laid out anew.
  uint32_t layout() const { return layout_; }
  static constexpr uint32_t kStart = 0;  // the context before the first token

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;
  static uint64_t key(int32_t vertex, uint32_t context) { return (uint64_t(vertex) << 32) | context; }
  size_t emissions(int32_t vertex) const { return size_t(lattice_.emit_begin[vertex + 1] - lattice_.emit_begin[vertex]); }
  size_t arcs(int32_t vertex) const { return size_t(lattice_.arc_begin[vertex + 1] - lattice_.arc_begin[vertex]); }
  bool lay_out(uint32_t order, bool with_words, size_t most_sums);
  bool lay_out_all(size_t most_sums);
  void start_over(uint32_t order, bool with_words);
  void lay_out_vertex(int32_t vertex, std::vector<std::vector<uint32_t>>& contexts);
  void add_context(uint32_t context);
  void make_groups();
  uint32_t find_cut(const uint32_t* parts, uint32_t wide_state) const;

  const Lattice& lattice_;
  const ContextMachine& weights_;
  const Program& program_;
  const LexicalClosure& closure_;
  MemoryMeter meter_;
  std::vector<std::vector<uint32_t>> images_;  // by token class: the joint lexical states that it leads to
  size_t widest_image_ = 1;
  uint32_t layout_ = 0;
  uint32_t order_ = 0;  // tokens of a context, at most
  bool with_words_ = false;
  std::vector<std::unique_ptr<Machine>> machines_;
  ContextMachine* cutter_ = nullptr;  // the last of them
  std::optional<Product> states_;        // whose numbers the contexts are
  std::vector<uint8_t> dead_, may_end_;  // by context
  size_t class_words_ = 0;
  std::vector<uint64_t> classes_;  // by context, a set of bits: the classes of the tokens that lead to it
  std::vector<uint32_t> group_;    // by context
  std::vector<std::vector<uint32_t>> groups_;
  FlatMap row_{256};                 // (vertex, context) -> row, counted from the vertex's first
  std::vector<uint32_t> row_begin_;  // vertices + 1
  std::vector<uint32_t> context_;    // by row
  std::vector<size_t> cell_begin_;   // by vertex
  std::vector<Cell> cells_;          // rows × emissions of their vertex
  std::vector<uint32_t> turn_begin_;  // vertices + 1
  std::vector<Turn> turns_;
  std::vector<size_t> turn_rows_begin_;  // by vertex
  std::vector<uint32_t> turn_rows_;      // turns × arcs of their vertex
  std::vector<float> floor_;
  mutable std::vector<uint32_t> cut_;  // by wide state
};

}  // namespace controldag
