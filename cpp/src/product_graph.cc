#include "controldag/product_graph.h"

#include <algorithm>
#include <cmath>

#include "controldag/error.h"

namespace controldag {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
// Sums in single precision of the same costs in another order differ by less.
constexpr double kMargin = 1e-4;
// What a penalty may add to costs in single precision: beyond that it would swallow them.
constexpr double kMostAddedPenalty = 64;

}  // namespace

ProductGraph::ProductGraph(SearchSpace& space, ExactBounds& bounds, const LengthBound& bound, double upper,
                           uint64_t most_nodes, MemoryMeter& meter)
    : space_(space), lattice_(space.lattice), rows_(bounds.lexical()), bound_(bound), meter_(meter),
      most_nodes_(most_nodes), lengths_(space.profile.width()), most_(bounds.budgets(upper)), shortest_(lengths_), longest_(0),
      head_(lattice_.vertices(), kNone), so_far_(lattice_.vertices()) {
  for (int32_t n = 1; n < lengths_; ++n)
    if (most_[n] > -std::numeric_limits<double>::infinity()) shortest_ = std::min(shortest_, n), longest_ = n;
  for (int32_t a = lattice_.arc_begin[0]; a < lattice_.arc_begin[1]; ++a) {
    const int32_t to = lattice_.arc_to[a];
    if (to == lattice_.last()) continue;  // no text ends before it begins
    const uint32_t row = rows_.row_after(0, 0, a), place = rows_.place(0, 0, 0);
    if (!(lattice_.arc_cost[a] <= allowed(to, row, place)[0])) {
      cut_ = true;
      continue;
    }
    const uint32_t node = node_at({to, 0, 0, row, place, kNone, 0, 0, 0, 0, 0, 0});
    so_far_[to][nodes_[node].so_far] = lattice_.arc_cost[a];
    starts_.push_back({node, lattice_.arc_cost[a]});
  }
  for (int32_t v = 1; v < lattice_.last(); ++v) {
    for (uint32_t node = head_[v]; node != kNone; node = nodes_[node].next) {
      expand(node);
    }
    meter_.give_back(so_far_[v].capacity() * sizeof(float));
    std::vector<float>().swap(so_far_[v]);  // assigning {} would keep its memory
  }
  solve_rest();
}

const float* ProductGraph::allowed(int32_t vertex, uint32_t row, uint32_t place) {
  bool added = false;
  const uint64_t key = (uint64_t{row} << 32) | place;
  const uint32_t at = meter_.at(allowed_at_, key, static_cast<uint32_t>(allowed_.size() / lengths_), added);
  float* most = nullptr;
  if (added) {
    meter_.make_room(allowed_, lengths_);
    allowed_.resize(allowed_.size() + lengths_, -kInfinity);
    most = allowed_.data() + size_t{at} * lengths_;
    const LengthBound::Ahead ahead = bound_.before(vertex, row, place);
    for (int32_t tokens = 0; tokens < lengths_; ++tokens) {
      double best = -std::numeric_limits<double>::infinity();
      space_.input.limits.spend(static_cast<uint64_t>(std::max(0, ahead.end - ahead.first)));
      for (int32_t k = std::max(1, ahead.first); k < std::min(ahead.end, lengths_ - tokens); ++k)
        best = std::max(best, most_[tokens + k] - ahead.cost[k - ahead.first]);
      if (std::isfinite(best)) best += kMargin * (1 + std::abs(best));
      most[tokens] = static_cast<float>(best);
    }
  }
  return allowed_.data() + size_t{at} * lengths_;
}

uint32_t ProductGraph::node_at(const Node& wanted) {
  bool added = false;
  const uint32_t index = meter_.at(ids_, product_key(wanted.vertex, wanted.lexical, wanted.wide),
                                   static_cast<uint32_t>(nodes_.size()), added);
  if (!added) return index;
  if (nodes_.size() >= most_nodes_) throw TooLarge("The number of search states", nodes_.size(), most_nodes_);
  meter_.push(nodes_, wanted);
  Node& made = nodes_.back();
  std::vector<float>& costs = so_far_[made.vertex];
  made.next = head_[made.vertex];
  made.so_far = costs.size();
  head_[made.vertex] = index;
  meter_.make_room(costs, static_cast<size_t>(lengths_));
  costs.resize(costs.size() + static_cast<size_t>(lengths_), kInfinity);
  return index;
}

ProductGraph::SoFar ProductGraph::so_far(const Node& node) const {
  const float* costs = so_far_[node.vertex].data() + node.so_far;
  int32_t first = 0, end = lengths_ - 1;  // a token is to come
  while (first < end && costs[first] == kInfinity) ++first;
  while (end > first && costs[end - 1] == kInfinity) --end;
  return {costs, first, end};
}

// Whether any length goes on within what is allowed.
bool ProductGraph::within(const SoFar& from, float cost, const float* allowed) {
  for (int32_t l = from.first; l < from.end; ++l)
    if (from.cost[l] + cost <= allowed[l + 1]) return true;
  return false;
}

void ProductGraph::relax(float* to, const SoFar& from, float cost, const float* allowed) {
  for (int32_t l = from.first; l < from.end; ++l) {
    const float there = from.cost[l] + cost;
    if (there <= allowed[l + 1] && there < to[l + 1]) to[l + 1] = there;
  }
}

void ProductGraph::expand(uint32_t index) {
  const Node node = nodes_[index];
  const int32_t v = node.vertex;
  const SoFar costs = so_far(node);  // arcs go forward: those of this vertex stay where they are
  nodes_[index].edges = edges_.size();
  nodes_[index].rest_first = std::max(1, shortest_ - costs.end + 1);
  nodes_[index].rest_end = std::max(nodes_[index].rest_first, longest_ - costs.first + 1);
  std::vector<int32_t> arcs;
  for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
    const uint32_t turn = rows_.turn(v, node.row, e);
    if (turn == LexicalBound::kNoTurn) continue;
    const uint32_t token = static_cast<uint32_t>(lattice_.emit_token[e]);
    const uint32_t lexical = space_.lexical.step(node.lexical, token);
    const uint32_t place = rows_.place(v, turn, lexical);
    if (place == LexicalBound::kNowhere) continue;
    // What cannot be within the bound is not even looked up in the wide machines.
    const float floor = rows_.floor(v, node.row, e);
    arcs.clear();
    // For each arc it looks at lengths up to three times.
    space_.input.limits.spend(3 * static_cast<uint64_t>(lattice_.arc_begin[v + 1] - lattice_.arc_begin[v]) *
                              static_cast<uint64_t>(std::max(8, costs.end - costs.first)));
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const int32_t to = lattice_.arc_to[a];
      if (to == lattice_.last() ||
          within(costs, floor + lattice_.arc_cost[a], allowed(to, rows_.row_after(v, turn, a), place)))
        arcs.push_back(a);
      else
        cut_ = true;
    }
    if (arcs.empty()) continue;
    const uint32_t wide = space_.wide.step(node.wide, token);
    if (space_.dead_wide(wide)) continue;
    const float cost = space_.emission_cost(e, node.wide);
    for (const int32_t a : arcs) {
      const int32_t to = lattice_.arc_to[a];
      Edge edge{e, kEnd, cost + lattice_.arc_cost[a], 0};
      if (to == lattice_.last()) {
        end(costs, edge, lexical, wide);
        continue;
      }
      const uint32_t row = rows_.row_after(v, turn, a);
      const float* most = allowed(to, row, place);
      if (!within(costs, edge.cost, most)) {
        cut_ = true;
        continue;
      }
      edge.to = node_at({to, lexical, wide, row, place, kNone, 0, 0, 0, 0, 0, 0});
      relax(so_far_[to].data() + nodes_[edge.to].so_far, costs, edge.cost, most);
      meter_.push(edges_, edge);
    }
  }
  nodes_[index].edge_count = static_cast<uint32_t>(edges_.size() - nodes_[index].edges);
}

void ProductGraph::end(const SoFar& from, Edge edge, uint32_t lexical, uint32_t wide) {
  if (!space_.accepts(lexical, wide)) return;
  const double avoidable = space_.penalty(lexical, wide) - space_.closure.unavoidable_penalty();
  for (int32_t l = from.first; l < from.end; ++l) {
    const double whole = static_cast<double>(from.cost[l]) + edge.cost + avoidable;
    if (!(whole - kMargin * (1 + std::abs(whole)) <= most_[l + 1])) continue;
    edge.penalty = static_cast<float>(std::min(avoidable, kMostAddedPenalty));
    meter_.push(edges_, edge);
    return;
  }
  cut_ = true;
}

double ProductGraph::penalty(uint32_t node, const Edge& edge) {
  const uint32_t token = static_cast<uint32_t>(lattice_.emit_token[edge.emission]);
  return space_.penalty(space_.lexical.step(nodes_[node].lexical, token), space_.wide.step(nodes_[node].wide, token));
}

void ProductGraph::solve_rest() {
  size_t size = 0;
  for (Node& node : nodes_) node.rest = size, size += static_cast<size_t>(node.rest_end - node.rest_first);
  meter_.take(size * sizeof(float));
  rest_.assign(size, kInfinity);
  for (int32_t v = lattice_.last() - 1; v > 0; --v)
    for (uint32_t index = head_[v]; index != kNone; index = nodes_[index].next) {
      const Node& node = nodes_[index];
      float* here = rest_.data() + node.rest;
      for (const Edge& edge : edges(index)) {
        if (edge.to == kEnd) {
          if (node.rest_first == 1 && node.rest_end > 1) here[0] = std::min(here[0], edge.cost + edge.penalty);
          continue;
        }
        const Node& next = nodes_[edge.to];
        space_.input.limits.spend(static_cast<uint64_t>(node.rest_end - node.rest_first));
        const float* there = rest_.data() + next.rest;
        const int32_t first = std::max(node.rest_first, next.rest_first + 1);
        for (int32_t k = first; k < std::min(node.rest_end, next.rest_end + 1); ++k) {
          float& cost = here[k - node.rest_first];
          cost = std::min(cost, there[k - 1 - next.rest_first] + edge.cost);
        }
      }
    }
}

}  // namespace controldag
