#include "controldag/prune.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "controldag/error.h"

namespace controldag {
namespace {

// Numbers the model's tokens as they appear.
class LocalTokens {
 public:
  LocalTokens(Lattice& lattice, const SurfaceTable& surfaces) : lattice_(lattice), surfaces_(surfaces) {}
  // -1 for tokens without a surface.
  int32_t number(int64_t token) {
    if (token < 0 || token >= static_cast<int64_t>(surfaces_.bytes.size()))
      throw InvalidArgument("token id", "be below " + std::to_string(surfaces_.bytes.size()), std::to_string(token));
    if (surfaces_.bytes[token].empty()) return -1;
    const auto [found, added] = numbers_.emplace(token, static_cast<int32_t>(lattice_.token_id.size()));
    if (added) {
      lattice_.token_id.push_back(token);
      lattice_.surface.push_back(surfaces_.bytes[token]);
    }
    return found->second;
  }

 private:
  Lattice& lattice_;
  const SurfaceTable& surfaces_;
  std::unordered_map<int64_t, int32_t> numbers_;
};

// Rounding may leave a log-probability a little above 0.
float cost_of(float log_probability) { return std::max(0.0f, -log_probability); }

void add_arcs(const DagView& dag, int64_t v, int64_t max_arcs, Lattice& lattice, std::vector<int32_t>& order) {
  const float* row = dag.log_transitions.data() + v * dag.vertices;
  order.clear();
  for (int64_t to = v + 1; to < dag.vertices; ++to)
    if (std::isfinite(row[to])) order.push_back(static_cast<int32_t>(to));
  const auto likelier = [&](int32_t a, int32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; };
  const size_t kept = std::min<size_t>(max_arcs, order.size());
  std::partial_sort(order.begin(), order.begin() + kept, order.end(), likelier);
  order.resize(kept);
  for (int64_t to : {v + 1, dag.vertices - 1})
    if (std::isfinite(row[to]) && std::find(order.begin(), order.end(), to) == order.end())
      order.push_back(static_cast<int32_t>(to));
  std::sort(order.begin(), order.end());
  for (int32_t to : order) {
    lattice.arc_to.push_back(to);
    lattice.arc_cost.push_back(cost_of(row[to]));
  }
}

}  // namespace

Lattice prune(const DagView& dag, int64_t max_arcs, const SurfaceTable& surfaces) {
  Lattice lattice;
  LocalTokens local(lattice, surfaces);
  const int64_t candidates = static_cast<int64_t>(dag.tokens.size()) / std::max<int64_t>(dag.vertices, 1);
  const int64_t kept = static_cast<int64_t>(dag.kept.size());
  std::vector<int32_t> order;
  lattice.emit_begin = lattice.arc_begin = {0};
  for (int64_t v = 0; v < dag.vertices; ++v) {
    const auto emit = [&](int64_t token, float log_probability) {
      const int32_t number = local.number(token);
      if (number < 0 || !std::isfinite(log_probability)) return;
      const auto begin = lattice.emit_token.begin() + lattice.emit_begin[v];
      if (std::find(begin, lattice.emit_token.end(), number) != lattice.emit_token.end()) return;
      lattice.emit_token.push_back(number);
      lattice.emit_cost.push_back(cost_of(log_probability));
    };
    if (v > 0 && v + 1 < dag.vertices) {
      for (int64_t k = 0; k < candidates; ++k)
        emit(dag.tokens[v * candidates + k], dag.log_emissions[v * candidates + k]);
      for (int64_t k = 0; k < kept; ++k) emit(dag.kept[k], dag.log_kept[v * kept + k]);
    }
    lattice.emit_begin.push_back(static_cast<int32_t>(lattice.emit_token.size()));
    if (v + 1 < dag.vertices) add_arcs(dag, v, max_arcs, lattice, order);
    lattice.arc_begin.push_back(static_cast<int32_t>(lattice.arc_to.size()));
  }
  lattice.check();
  return lattice;
}

}  // namespace controldag
