// What the rest of a text must cost at least, by vertex and joint state of one closure's machines.
#pragma once

#include <utility>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/lexical_closure.h"
#include "controldag/limits.h"
#include "controldag/search.h"

namespace controldag {

class VertexBound {
 public:
  // What there is to count, by emission and by arc.
  struct Costs {
    std::vector<float> emissions, arcs;
  };

  VertexBound(const Lattice& lattice, const LexicalClosure& closure);
  static uint64_t bytes(const Lattice& lattice, const LexicalClosure& closure) {
    return closure.states() * static_cast<uint64_t>(lattice.vertices()) * sizeof(float);
  }

  // Computes the bound. With `take`, what it needs is taken from the costs: a bound that counts what is left may be
  // added to this one (saturated cost partitioning, as in planning).
  void solve(Costs& costs, bool take, const Limits& limits);
  // Before the vertex emits; `parts` are the machines' states of that product state.
  float at(uint32_t vertex, const uint32_t* parts, uint32_t product_state) const {
    return remaining_[vertex * states_ + closure_->number(parts, product_state)];
  }
  const std::vector<float>& remaining() const { return remaining_; }  // vertices × states of the closure
  float least(int32_t vertex) const { return least_[vertex]; }  // over all states
  float total() const { return total_; }                        // of whole texts

 private:
  void solve_vertex(int32_t vertex, const Costs& costs);
  void take_arcs(int32_t vertex, Costs& costs) const;
  void take_emissions(int32_t vertex, Costs& costs);

  const Lattice& lattice_;
  const LexicalClosure* closure_;
  size_t states_;
  std::vector<float> remaining_;  // vertices × states
  std::vector<float> least_;
  float total_ = kInfinity;
  // Scratch, at the vertex being solved:
  std::vector<float> after_;                                // once it has emitted, by state
  std::vector<float> class_cost_, class_need_;              // by token class
  std::vector<std::pair<float, uint32_t>> vertex_classes_;  // its classes, cheapest first
};

}  // namespace controldag
