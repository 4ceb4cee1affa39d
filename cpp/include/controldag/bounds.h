// Admissible bounds: what the rest of any text must cost at least, as far as length and lexical constraints go.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/lexical_closure.h"
#include "controldag/metered.h"
#include "controldag/ngram_contexts.h"
#include "controldag/product.h"
#include "controldag/program.h"
#include "controldag/search.h"
#include "controldag/vertex_bound.h"

namespace controldag {

// The cheapest unconstrained path to each vertex for each number of tokens emitted before it.
class LengthProfile {
 public:
  // `floor`: by emission, no more than it can cost in any context.
  LengthProfile(const Lattice& lattice, std::span<const float> floor, const LengthWeights& lengths, const Limits& limits);
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
// Penalties of soft constraints are in it as far as lexical machines decide them, less the closure's unavoidable one:
// costs that are held against it leave that out too.
//
// It covers the lexical machines that stay small (see LexicalClosure) and leaves the others open: still a bound. Where
// they make several closures, each counts what those before it left of the costs, and the sum is the bound; of two
// orders of them, the greater. With n-gram weights it knows what each token costs at least after the few before it, covers the wide machines, and of the
// closures the first alone.
class LexicalBound {
 public:
  explicit LexicalBound(const SearchSpace& space);
  // Computes the bound for one reward.
  void solve(float reward);
  // Before vertex v emits, with the machines at these states; infinite when nothing can satisfy the lexical ones.
  float remaining(int32_t vertex, uint32_t lexical, uint32_t wide) const {
    if (!contexts_) return at(static_cast<uint32_t>(vertex), lexical);
    const uint32_t state = closure_.number(lexical_.parts(lexical), lexical);
    const uint32_t context = contexts_->cut(wide_.parts(wide), wide);
    const uint32_t place = place_[contexts_->group(context) * states_ + state];
    return place == kNowhere ? kInfinity : remaining_[row_at_[contexts_->row_of(vertex, context)] + place];
  }
  // The same, followed from vertex to vertex: a search stands in a row, takes an emission's turn there, and an arc.
  // No turn goes on from where nothing can satisfy the wide machines.
  static constexpr uint32_t kNoTurn = UINT32_MAX, kNowhere = UINT32_MAX;
  uint32_t turn(int32_t vertex, uint32_t row, int32_t emission) const {
    if (!contexts_) return 0;
    const auto& cell = contexts_->cells(vertex, row)[emission - lattice_.emit_begin[vertex]];
    return cell.cost < kInfinity ? cell.turn : kNoTurn;
  }
  // Whether it knows the wide machines: what it allows then goes on to an end, and steps of those are costly.
  bool by_context() const { return contexts_ != nullptr; }
  // What the emission costs at least there.
  float floor(int32_t vertex, uint32_t row, int32_t emission) const {
    return contexts_ ? contexts_->cells(vertex, row)[emission - lattice_.emit_begin[vertex]].cost : floor_[emission];
  }
  // The place of a lexical state in the rows after a turn; kNowhere when nothing can satisfy the lexical machines.
  uint32_t place(int32_t vertex, uint32_t turn, uint32_t lexical) const {
    if (!contexts_) return lexical;
    const uint32_t state = closure_.number(lexical_.parts(lexical), lexical);
    const uint32_t context = vertex == 0 ? NgramContexts::kStart : contexts_->turns_begin(vertex)[turn].context;
    return place_[contexts_->group(context) * states_ + state];
  }
  // The row after a turn and an arc.
  uint32_t row_after(int32_t vertex, uint32_t turn, int32_t arc) const {
    const int32_t to = lattice_.arc_to[arc];
    if (!contexts_) return static_cast<uint32_t>(to);
    return contexts_->rows_begin(to) + contexts_->rows_after(vertex, turn)[arc - lattice_.arc_begin[vertex]];
  }
  float at(uint32_t row, uint32_t place) const {
    if (contexts_) return remaining_[row_at_[row] + place];
    float most = -kInfinity;
    for (const auto& order : orders_) {
      float sum = 0;
      for (const VertexBound& each : order) sum += each.at(row, lexical_.parts(place), place);
      most = std::max(most, sum);
    }
    return most;
  }
  // After a turn, its arc to come.
  float after(int32_t vertex, uint32_t turn, uint32_t lexical) const {
    const uint32_t here = place(vertex, turn, lexical);
    float least = kInfinity;
    for (int32_t a = lattice_.arc_begin[vertex]; here != kNowhere && a < lattice_.arc_begin[vertex + 1]; ++a) {
      // With contexts there is no row for the end: what may end is told there.
      const bool ends = contexts_ && lattice_.arc_to[a] == lattice_.last();
      const float rest = ends ? 0 : at(row_after(vertex, turn, a), here);
      least = std::min(least, lattice_.arc_cost[a] + rest);
    }
    return least;
  }
  // The least of `remaining` over all states at the vertex.
  float least(int32_t vertex) const { return least_[vertex]; }
  float total() const { return total_; }  // the bound for whole texts

 private:
  friend class LengthBound;  // has the same rows, turns and places
  void solve_by_vertex(float reward);
  void solve_by_context(float reward);
  void solve_turns(int32_t vertex, float reward);
  void solve_context(int32_t vertex, uint32_t row);
  void lay_out_rows();
  const std::vector<uint32_t>& moves(uint32_t group, uint32_t token_class, uint32_t after);
  uint32_t next(uint32_t state, uint32_t token_class) const;

  const Lattice& lattice_;
  std::span<const float> floor_;
  const Product &lexical_, &wide_;
  const LexicalClosure& closure_;
  const NgramContexts* contexts_;  // null: none, and a vertex is a row
  size_t states_;
  const Limits& limits_;
  MemoryMeter meter_{limits_};
  std::vector<float> least_;
  std::vector<std::vector<VertexBound>> orders_;  // without contexts: of each closure, by who counts first
  // With contexts:
  std::vector<float> remaining_;       // by row the states of its group
  uint32_t layout_ = 0;  // theirs, when the following were made
  std::vector<size_t> row_at_;         // by row: where it begins in `remaining_`
  std::vector<uint32_t> place_;        // groups × lexical states: the state's place in the group, or kNowhere
  FlatMap moves_index_{64};
  std::vector<std::vector<uint32_t>> moves_;  // by (group, token class, group after): places after, by place before
  std::vector<float> after_;           // scratch: by turn of a vertex, the states of its group
  std::vector<size_t> after_at_;       // scratch: where each turn begins there
  float total_ = kInfinity;
};

}  // namespace controldag
