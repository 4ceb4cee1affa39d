// The searches over a lattice and what they return.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "controldag/constraint.h"
#include "controldag/lattice.h"
#include "controldag/limits.h"
#include "controldag/token_weights.h"

namespace controldag {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

// How good a length is: a string of n tokens (length n + 1) and cost c has the objective weight[n + 1] * c.
// An infinite weight, or a length past the end, is not allowed. No weights at all: every length is as good.
struct LengthWeights {
  std::vector<double> weight;
  bool tracked() const { return !weight.empty(); }
  double of_tokens(int32_t tokens) const {
    if (weight.empty()) return 1.0;
    const size_t length = static_cast<size_t>(tokens) + 1;
    return length < weight.size() ? weight[length] : std::numeric_limits<double>::infinity();
  }
  // The most surface tokens that are allowed in a lattice; -1 if no length is.
  int32_t max_tokens(const Lattice& lattice) const;
};

// A string with one of its vertex paths: emission indices into the lattice, in order.
struct Path {
  std::vector<int32_t> vertices;   // where each token was emitted
  std::vector<int32_t> emissions;  // which entry of emit_token / emit_cost
  double cost = 0;                 // negative log-probability, penalties of violated soft constraints, n-gram weights
  double penalty = 0;              // the part of `cost` that is penalties
  double ngrams = 0;               // the part of `cost` that is n-gram weights
  double objective = 0;            // cost times the length weight: what was minimised
};

struct SearchStats {
  uint64_t states = 0;      // product states (vertex, automata) visited in the last round
  uint64_t relaxations = 0;  // emissions and arcs followed in the last round
  uint32_t rounds = 0;      // searches with a growing bound
};

struct SearchInput {
  const Lattice& lattice;
  const std::vector<Constraint>& constraints;  // the members of the conjunction
  const LengthWeights& lengths;
  const Limits& limits;
  const TokenWeights* weights = nullptr;  // added to the cost of every n-gram; null: none
};

// The string of least objective that satisfies every hard constraint, or nothing when there is none. Exact.
std::optional<Path> search_exact(const SearchInput& input, SearchStats& stats);

// Up to n distinct strings of least objective, best first. Exact.
std::vector<Path> search_n_best(const SearchInput& input, int32_t n, SearchStats& stats);

// The exact cost of a path, summed in double precision: transitions, emissions, and `penalty`.
double path_cost(const Lattice& lattice, const Path& path);

// The vertex that holds an emission.
int32_t vertex_of(const Lattice& lattice, int32_t emission);

// The text of a path: the tokens' bytes, minus one leading blank.
std::string path_text(const Lattice& lattice, const Path& path);

}  // namespace controldag
