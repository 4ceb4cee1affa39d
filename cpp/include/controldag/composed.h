// The lattice intersected with its constraints, written out (Mealy form): what the paper's search walks.
#pragma once

#include <vector>

#include "controldag/flat_map.h"
#include "controldag/search_space.h"

namespace controldag {

// States are a vertex and the automata's states before it emits; an arc emits a token and goes on. Only states that
// lie on a way from the start to an end are kept alive.
class Composed {
 public:
  struct Arc {
    uint32_t to;
    int32_t emission;  // -1 at the first vertex, which emits <s>
    float cost;
  };
  // `input` must outlive this.
  explicit Composed(const SearchInput& input);

  static constexpr uint32_t kStart = 0;
  bool alive(uint32_t state) const { return alive_[state] != 0; }
  // At the last vertex, with every constraint satisfied.
  bool final(uint32_t state) const { return final_[state] != 0; }
  int32_t vertex(uint32_t state) const { return states_[state].vertex; }
  size_t size() const { return states_.size(); }
  // The arcs to live states: of those to the same state only the cheapest, and cheapest first.
  std::vector<Arc> arcs(uint32_t state) const;

 private:
  struct State {
    int32_t vertex;
    uint32_t lexical, wide;
    uint32_t next;  // of the same vertex
    size_t begin, end;  // its arcs
  };
  uint32_t state(int32_t vertex, uint32_t lexical, uint32_t wide);
  void expand(uint32_t state);
  void emit(uint32_t from, int32_t emission, float cost, uint32_t lexical, uint32_t wide);
  void trim();
  // Constraints over tokens do not tell the start of a text apart from a text that led nowhere: one state, as in the
  // paper's automata. Those over bytes do (a leading blank is no part of the text).
  uint32_t merged(const Product& product, uint32_t state) const;

  const Lattice& lattice_;
  const Limits& limits_;
  SearchSpace space_;
  const bool token_level_;
  FlatMap numbers_{1024};
  std::vector<State> states_;
  std::vector<Arc> arcs_;
  std::vector<uint32_t> head_;  // by vertex
  std::vector<uint8_t> alive_, final_;
};

}  // namespace controldag
