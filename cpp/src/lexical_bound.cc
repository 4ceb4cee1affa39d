#include <algorithm>

#include "controldag/bounds.h"
#include "controldag/error.h"
#include "controldag/search_space.h"

namespace controldag {

LexicalBound::LexicalBound(const SearchSpace& space)
    : lattice_(space.lattice), floor_(space.emission_floor()), lexical_(space.lexical), wide_(space.wide),
      closure_(space.closure), contexts_(space.contexts()), states_(closure_.states()),
      limits_(space.input.limits), class_cost_(closure_.classes(), kInfinity) {
  const uint64_t bytes = states_ * static_cast<size_t>(lattice_.vertices()) * sizeof(float);
  if (bytes > limits_.max_bytes) throw TooLarge("The memory of the search in bytes", bytes, limits_.max_bytes);
}

void LexicalBound::solve(float reward) {
  if (contexts_) {
    solve_by_context(reward);
  } else {
    solve_by_vertex(reward);
  }
}

void LexicalBound::solve_by_vertex(float reward) {
  const int32_t last = lattice_.last();
  remaining_.assign(states_ * lattice_.vertices(), kInfinity);
  least_.assign(lattice_.vertices(), kInfinity);
  for (uint32_t s = 1; s < states_; ++s)
    if (closure_.may_end(s)) remaining_[static_cast<size_t>(last) * states_ + s] = closure_.end_penalty(s);
  std::vector<float> after(states_);  // the bound after the vertex emitted, by state
  for (int32_t v = last - 1; v >= 0; --v) {
    limits_.check_time();
    std::fill(after.begin(), after.end(), kInfinity);
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const float arc = lattice_.arc_cost[a];
      const float* there = remaining_.data() + static_cast<size_t>(lattice_.arc_to[a]) * states_;
      for (size_t s = 0; s < states_; ++s) after[s] = std::min(after[s], arc + there[s]);
    }
    if (v > 0) {
      solve_vertex(v, reward, after);
    } else {
      // No text ends before it begins: the start is never in the last vertex's row.
      total_ = least_[0] = remaining_[0] = after[LexicalClosure::kStart];
    }
  }
}

void LexicalBound::solve_vertex(int32_t v, float reward, const std::vector<float>& after) {
  vertex_classes_.clear();
  float first = kInfinity;  // from the start: the token opens the text
  for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
    const int32_t token = lattice_.emit_token[e];
    const uint32_t token_class = closure_.class_of(token);
    if (class_cost_[token_class] == kInfinity) vertex_classes_.push_back({0, token_class});
    class_cost_[token_class] = std::min(class_cost_[token_class], floor_[e]);
    first = std::min(first, floor_[e] + after[closure_.after_first(token)]);
  }
  for (auto& [cost, token_class] : vertex_classes_) cost = class_cost_[token_class];
  std::sort(vertex_classes_.begin(), vertex_classes_.end());
  float* here = remaining_.data() + static_cast<size_t>(v) * states_;
  here[LexicalClosure::kStart] = first - reward;
  float least = here[LexicalClosure::kStart];
  for (uint32_t s = 1; s < states_; ++s) {
    if (closure_.hopeless(s)) continue;
    float best = kInfinity;
    for (const auto& [cost, token_class] : vertex_classes_)
      if (!closure_.listed(s, token_class)) {
        best = cost + after[closure_.rest(s)];
        break;
      }
    for (const auto* move = closure_.moves_begin(s); move != closure_.moves_end(s); ++move)
      best = std::min(best, class_cost_[move->token_class] + after[move->next]);
    here[s] = best - reward;
    least = std::min(least, here[s]);
  }
  least_[v] = least;
  for (const auto& [_, token_class] : vertex_classes_) class_cost_[token_class] = kInfinity;
}

}  // namespace controldag
