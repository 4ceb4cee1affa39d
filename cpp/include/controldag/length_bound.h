// What the rest of a text costs at least by how many tokens it has, lexical constraints and n-gram contexts counted: a
// bound that needs no reward, for searches that weigh lengths.
#pragma once

#include <cstdint>
#include <vector>

#include "controldag/bounds.h"
#include "controldag/metered.h"

namespace controldag {

class SearchSpace;

// It has costs for the rows, turns and places of a LexicalBound (see there), whose first closure alone it covers; only
// for those that texts within `most` go through, by that bound.
class LengthBound {
 public:
  // Only texts of `shortest` to `longest` tokens count, whose cost - reward * tokens is at most `most`. `reward`: the one
  // that the bound was solved for.
  struct Wanted {
    int32_t shortest, longest;
    float most, reward;
  };
  LengthBound(const SearchSpace& space, LexicalBound& rows, const Wanted& wanted);
  // How many sums it takes: where these are too many, the costs are not worth working out.
  uint64_t sums() const { return sums_; }
  void solve();

  // Costs by number of tokens to come, from `first` on; empty where nothing goes on.
  struct Ahead {
    const float* cost;
    int32_t first, end;
  };
  // Before the vertex emits.
  Ahead before(int32_t vertex, uint32_t row, uint32_t place) const {
    return before_.at(vertex, before_slot(vertex, row) + (contexts_ ? place : number(place)));
  }
  // After the vertex has emitted, its arc to come.
  Ahead after(int32_t vertex, uint32_t turn, uint32_t place) const {
    return after_.at(vertex, after_slot(vertex, turn) + (contexts_ ? place : number(place)));
  }

 private:
  static constexpr uint32_t kDead = UINT32_MAX;
  // Costs of one kind, before or after vertices emit. A slot is a row or turn with a place.
  struct Table {
    struct Range {  // of a vertex: numbers of tokens to come, and where its costs begin
      int32_t first = 0, end = 0;
      size_t at = 0;
      size_t width() const { return static_cast<size_t>(std::max(0, end - first)); }
    };
    std::vector<Range> range;
    std::vector<uint32_t> index;  // by slot: its number among those of its vertex that live, or kDead
    std::vector<float> cost;

    Ahead at(int32_t vertex, size_t slot) const {
      const Range& here = range[vertex];
      if (index[slot] == kDead) return {nullptr, 0, 0};
      return {cost.data() + here.at + index[slot] * here.width(), here.first, here.end};
    }
    float* costs(int32_t vertex, size_t slot) {
      return index[slot] == kDead ? nullptr : cost.data() + range[vertex].at + index[slot] * range[vertex].width();
    }
  };
  uint32_t number(uint32_t place) const { return closure_.number(rows_.lexical_.parts(place), place); }
  size_t before_slot(int32_t vertex, uint32_t row) const {
    return contexts_ ? rows_.row_at_[row] : static_cast<size_t>(vertex) * rows_.states_;
  }
  size_t after_slot(int32_t vertex, uint32_t turn) const {
    return contexts_ ? turn_slot_[turn_begin_[vertex] + turn] : static_cast<size_t>(vertex) * rows_.states_;
  }
  // Calls `step` with each emission that goes on from a slot: the slot before, the one after, and what it costs.
  template <typename Step>
  void each_emission(int32_t vertex, Step&& step);
  // The same with arcs to further vertices: the slot after the emission, that before the next one, arc and its end.
  template <typename Step>
  void each_arc(int32_t vertex, Step&& step);
  // Calls `end` with each slot in which a text may end, and what that costs; `arc` leads to the last vertex.
  template <typename End>
  void each_end(int32_t vertex, int32_t arc, End&& end);
  uint32_t turns(int32_t vertex) const;

  void set_ranges(int32_t shortest, int32_t longest);
  void lay_out_turns();
  void find_living(const Wanted& wanted);
  void solve_vertex(int32_t vertex);

  const SearchSpace& space_;
  const Lattice& lattice_;
  LexicalBound& rows_;
  const NgramContexts* contexts_;
  const LexicalClosure& closure_;
  uint64_t sums_ = 0;
  std::vector<size_t> turn_slot_;   // by turn of all vertices: its first slot
  std::vector<size_t> turn_begin_;  // by vertex, into turn_slot_
  size_t before_slots_ = 0, after_slots_ = 0;
  Table before_, after_;
  MemoryMeter meter_;
};

}  // namespace controldag
