#include <algorithm>

#include "controldag/bounds.h"
#include "controldag/error.h"
#include "controldag/search_space.h"

namespace controldag {

LexicalBound::LexicalBound(const SearchSpace& space)
    : lattice_(space.lattice), floor_(space.emission_floor()), lexical_(space.lexical), wide_(space.wide),
      closure_(space.closure), contexts_(space.contexts()), states_(closure_.states()), limits_(space.input.limits) {
  if (contexts_) return;
  uint64_t bytes = VertexBound::bytes(lattice_, closure_);
  std::vector<const LexicalClosure*> order{&closure_};
  for (size_t i = 1; i < space.closures.size(); ++i) {
    // Each stands in two orders.
    if ((bytes += 2 * VertexBound::bytes(lattice_, space.closures[i])) > limits_.max_bytes / 2) break;
    order.push_back(&space.closures[i]);
  }
  for (const LexicalClosure* each : order)
    meter_.take((order.size() > 1 ? 2 : 1) * VertexBound::bytes(lattice_, *each));
  for (size_t made = 0; made < (order.size() > 1 ? 2 : 1); ++made) {
    orders_.emplace_back();
    for (const LexicalClosure* each : order) orders_.back().emplace_back(lattice_, *each);
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
}

void LexicalBound::solve(float reward) {
  if (contexts_) {
    solve_by_context(reward);
  } else {
    solve_by_vertex(reward);
  }
}

void LexicalBound::solve_by_vertex(float reward) {
  least_.assign(lattice_.vertices(), -kInfinity);
  total_ = -kInfinity;
  std::vector<float> least(lattice_.vertices());
  for (auto& order : orders_) {
    VertexBound::Costs costs{{floor_.begin(), floor_.end()}, lattice_.arc_cost};
    for (float& cost : costs.emissions) cost -= reward;
    std::fill(least.begin(), least.end(), 0.0f);
    float total = 0;
    for (VertexBound& each : order) {
      each.solve(costs, &each != &order.back(), limits_);
      for (int32_t v = 0; v < lattice_.vertices(); ++v) least[v] += each.least(v);
      total += each.total();
    }
    for (int32_t v = 0; v < lattice_.vertices(); ++v) least_[v] = std::max(least_[v], least[v]);
    total_ = std::max(total_, total);
  }
}

}  // namespace controldag
