#include "controldag/classic.h"

namespace controldag {
namespace {

// The cheapest emission of every vertex; -1 where there is none.
std::vector<int32_t> best_emissions(const Lattice& lattice) {
  std::vector<int32_t> best(lattice.vertices(), -1);
  for (int32_t v = 0; v < lattice.vertices(); ++v)
    for (int32_t e = lattice.emit_begin[v]; e < lattice.emit_begin[v + 1]; ++e)
      if (best[v] < 0 || lattice.emit_cost[e] < lattice.emit_cost[best[v]]) best[v] = e;
  return best;
}

// Follows the arc of least cost, plus, with `ahead`, the cost of the best token it leads to.
std::optional<Path> walk(const Lattice& lattice, bool ahead) {
  const std::vector<int32_t> emission = best_emissions(lattice);
  Path path;
  for (int32_t here = 0; here != lattice.last();) {
    int32_t next = -1;
    float least = kInfinity;
    for (int32_t a = lattice.arc_begin[here]; a < lattice.arc_begin[here + 1]; ++a) {
      const int32_t to = lattice.arc_to[a];
      float cost = lattice.arc_cost[a];
      if (to != lattice.last()) {
        if (emission[to] < 0) continue;
        if (ahead) cost += lattice.emit_cost[emission[to]];
      }
      if (cost < least) least = cost, next = to;
    }
    if (next < 0) return std::nullopt;
    if (next != lattice.last()) {
      path.vertices.push_back(next);
      path.emissions.push_back(emission[next]);
    }
    here = next;
  }
  if (path_text(lattice, path).empty()) return std::nullopt;
  path.cost = path.objective = path_cost(lattice, path);
  return path;
}

}  // namespace

std::optional<Path> search_greedy(const Lattice& lattice) { return walk(lattice, false); }
std::optional<Path> search_lookahead(const Lattice& lattice) { return walk(lattice, true); }

std::optional<Path> search_viterbi(const Lattice& lattice, const LengthWeights& lengths, const Limits& limits) {
  // The exact search over a lattice whose vertices emit their likeliest token for nothing.
  const std::vector<int32_t> emission = best_emissions(lattice);
  Lattice bare = lattice;
  bare.emit_begin = {0};
  bare.emit_token.clear();
  for (int32_t v = 0; v < lattice.vertices(); ++v) {
    if (emission[v] >= 0) bare.emit_token.push_back(lattice.emit_token[emission[v]]);
    bare.emit_begin.push_back(static_cast<int32_t>(bare.emit_token.size()));
  }
  bare.emit_cost.assign(bare.emit_token.size(), 0);
  SearchStats stats;
  const std::vector<Constraint> none;
  std::optional<Path> path = search_exact({bare, none, lengths, limits}, stats);
  if (!path) return std::nullopt;
  for (size_t i = 0; i < path->vertices.size(); ++i) path->emissions[i] = emission[path->vertices[i]];
  path->cost = path_cost(lattice, *path);
  return path;
}

}  // namespace controldag
