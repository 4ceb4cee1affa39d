#include "controldag/vertex_bound.h"

#include <algorithm>

namespace controldag {

VertexBound::VertexBound(const Lattice& lattice, const LexicalClosure& closure)
    : lattice_(lattice), closure_(&closure), states_(closure.states()), after_(states_),
      class_cost_(closure.classes(), kInfinity), class_need_(closure.classes()) {}

void VertexBound::solve(Costs& costs, bool take, const Limits& limits) {
  const int32_t last = lattice_.last();
  remaining_.assign(states_ * lattice_.vertices(), kInfinity);
  least_.assign(lattice_.vertices(), kInfinity);
  for (uint32_t s = 1; s < states_; ++s)
    if (closure_->may_end(s)) remaining_[static_cast<size_t>(last) * states_ + s] = closure_->end_penalty(s);
  for (int32_t v = last - 1; v >= 0; --v) {
    limits.check_time();
    std::fill(after_.begin(), after_.end(), kInfinity);
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      limits.spend(take ? 2 * states_ : states_);
      const float arc = costs.arcs[a];
      const float* there = remaining_.data() + static_cast<size_t>(lattice_.arc_to[a]) * states_;
      for (size_t s = 0; s < states_; ++s) after_[s] = std::min(after_[s], arc + there[s]);
    }
    if (v > 0) {
      solve_vertex(v, costs);
      limits.spend(closure_->moves());
    } else {
      // No text ends before it begins: the start is never in the last vertex's row.
      total_ = least_[0] = remaining_[0] = after_[LexicalClosure::kStart];
    }
    if (!take) continue;
    if (v > 0) take_emissions(v, costs);
    take_arcs(v, costs);
  }
}

void VertexBound::solve_vertex(int32_t v, const Costs& costs) {
  vertex_classes_.clear();
  float first = kInfinity;  // from the start: the token opens the text
  for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
    const int32_t token = lattice_.emit_token[e];
    const uint32_t token_class = closure_->class_of(token);
    if (class_cost_[token_class] == kInfinity) vertex_classes_.push_back({0, token_class});
    class_cost_[token_class] = std::min(class_cost_[token_class], costs.emissions[e]);
    first = std::min(first, costs.emissions[e] + after_[closure_->after_first(token)]);
  }
  for (auto& [cost, token_class] : vertex_classes_) cost = class_cost_[token_class];
  std::sort(vertex_classes_.begin(), vertex_classes_.end());
  float* here = remaining_.data() + static_cast<size_t>(v) * states_;
  here[LexicalClosure::kStart] = first;
  float least = first;
  for (uint32_t s = 1; s < states_; ++s) {
    if (closure_->hopeless(s)) continue;
    float best = kInfinity;
    for (const auto& [cost, token_class] : vertex_classes_)
      if (!closure_->listed(s, token_class)) {
        best = cost + after_[closure_->rest(s)];
        break;
      }
    for (const auto* move = closure_->moves_begin(s); move != closure_->moves_end(s); ++move)
      best = std::min(best, class_cost_[move->token_class] + after_[move->next]);
    here[s] = best;
    least = std::min(least, best);
  }
  least_[v] = least;
  for (const auto& [_, token_class] : vertex_classes_) class_cost_[token_class] = kInfinity;
}

// An arc must cost what the bound falls along it in any state, and no more.
void VertexBound::take_arcs(int32_t v, Costs& costs) const {
  for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
    const float* there = remaining_.data() + static_cast<size_t>(lattice_.arc_to[a]) * states_;
    float need = -kInfinity;
    for (size_t s = 0; s < states_; ++s) {
      const float fall = after_[s] - there[s];
      need = fall > need ? fall : need;  // passes over states from which nothing goes on at all: those are not numbers
    }
    if (need > -kInfinity) costs.arcs[a] -= need;
  }
}

// So must an emission, whatever the state before it; those of one class lead to the same states.
void VertexBound::take_emissions(int32_t v, Costs& costs) {
  const float* here = remaining_.data() + static_cast<size_t>(v) * states_;
  std::fill(class_need_.begin(), class_need_.end(), -kInfinity);
  for (uint32_t s = 1; s < states_; ++s) {
    if (here[s] == kInfinity) continue;
    const float fall = here[s] - after_[closure_->rest(s)];
    for (const auto& [_, token_class] : vertex_classes_)
      if (!closure_->listed(s, token_class)) class_need_[token_class] = std::max(class_need_[token_class], fall);
    for (const auto* move = closure_->moves_begin(s); move != closure_->moves_end(s); ++move)
      class_need_[move->token_class] = std::max(class_need_[move->token_class], here[s] - after_[move->next]);
  }
  for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
    const int32_t token = lattice_.emit_token[e];
    float need = class_need_[closure_->class_of(token)];
    if (const float first = here[LexicalClosure::kStart]; first < kInfinity)
      need = std::max(need, first - after_[closure_->after_first(token)]);
    if (need > -kInfinity) costs.emissions[e] -= need;
  }
}

}  // namespace controldag
