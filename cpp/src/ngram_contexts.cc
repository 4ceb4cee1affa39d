#include "controldag/ngram_contexts.h"

#include <algorithm>
#include <limits>

namespace controldag {

NgramContexts::NgramContexts(const Lattice& lattice, const TokenWeights& weights, size_t most_cells)
    : lattice_(lattice), weights_(weights) {
  if (lay_out(1, most_cells)) return;
  order_ = 0;
  floor_ = lattice.emit_cost;
  for (size_t e = 0; e < floor_.size(); ++e) floor_[e] += weights_.least(lattice_.token_id[lattice_.emit_token[e]]);
}

bool NgramContexts::sharpen(size_t most_cells) {
  const uint32_t before = order_;
  if (before == 0 || before == TokenWeights::kLongestCut) return false;
  for (uint32_t order = TokenWeights::kLongestCut; order > before; --order)
    if (lay_out(order, most_cells)) return true;
  lay_out(before, SIZE_MAX);
  return false;
}

// Everything for contexts of up to `order` tokens; false where there would be too many cells.
bool NgramContexts::lay_out(uint32_t order, size_t most_cells) {
  const int32_t vertices = lattice_.vertices();
  order_ = order;
  row_.clear();
  step_of_.clear();
  steps_.clear();
  row_begin_.assign(1, 0);
  cell_begin_.clear();
  cells_.clear();
  turn_begin_.assign(1, 0);
  turns_.clear();
  floor_.assign(lattice_.emit_cost.size(), std::numeric_limits<float>::infinity());
  std::vector<std::vector<uint32_t>> contexts(vertices);  // before each vertex, each once
  for (int32_t v = 0; v < vertices; ++v) {
    lay_out_vertex(v, contexts);
    if (cells_.size() > most_cells) return false;
    contexts[v] = {};
  }
  return true;
}

void NgramContexts::lay_out_vertex(int32_t v, std::vector<std::vector<uint32_t>>& contexts) {
  // The rows of `contexts[v]` were numbered as they came; from here on they lie one after another.
  const uint32_t first = row_begin_.back();
  for (uint32_t i = 0; i < contexts[v].size(); ++i) {
    bool added = false;
    row_.at(key(v, contexts[v][i]), 0, added) = first + i;
  }
  const bool last = v == lattice_.last();
  row_begin_.push_back(first + (last ? 1 : static_cast<uint32_t>(contexts[v].size())));
  cell_begin_.push_back(cells_.size());
  FlatMap turn_of{64};  // (emission, context after it) -> turn
  const auto reach = [&](uint32_t context) {
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const int32_t to = lattice_.arc_to[a];
      bool added = false;
      if (to != lattice_.last()) row_.at(key(to, context), 0, added);
      if (added) contexts[to].push_back(context);
    }
  };
  if (v == 0) reach(0);
  for (const uint32_t context : contexts[v])
    for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1] && !last; ++e) {
      const auto step = least_step(context, lattice_.emit_token[e]);
      const float cost = lattice_.emit_cost[e] + step.weight;
      floor_[e] = std::min(floor_[e], cost);
      bool added = false;
      const uint32_t number = static_cast<uint32_t>(turns_.size()) - turn_begin_.back();
      const uint32_t turn = turn_of.at(key(e, step.state), number, added);
      if (added) {
        turns_.push_back({e, step.state});
        reach(step.state);
      }
      cells_.push_back({cost, turn});
    }
  turn_begin_.push_back(static_cast<uint32_t>(turns_.size()));
}

const TokenWeights::Step& NgramContexts::least_step(uint32_t context, int32_t token) {
  bool added = false;
  const uint32_t at = step_of_.at(key(token, context), static_cast<uint32_t>(steps_.size()), added);
  if (added) steps_.push_back(weights_.least_step(context, lattice_.token_id[token], order_));
  return steps_[at];
}

}  // namespace controldag
