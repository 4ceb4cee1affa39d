// The lexical bound with n-gram weights: a row for each context that can stand before a vertex.
#include <algorithm>

#include "controldag/bounds.h"

namespace controldag {

// The closure's moves as a table: with contexts every emission is looked at alone.
void LexicalBound::make_next() {
  next_.resize(closure_.classes() * states_);
  for (uint32_t s = 0; s < states_; ++s) {
    const bool dead = s == LexicalClosure::kStart || closure_.hopeless(s);
    for (size_t c = 0; c < closure_.classes(); ++c) next_[c * states_ + s] = dead ? s : closure_.rest(s);
    if (dead) continue;
    for (const auto* move = closure_.moves_begin(s); move != closure_.moves_end(s); ++move)
      next_[move->token_class * states_ + s] = move->next;
  }
}

void LexicalBound::solve_by_context(float reward) {
  const NgramContexts& rows = *contexts_;
  const int32_t last = lattice_.last();
  remaining_.assign(states_ * rows.rows(), kInfinity);
  least_.assign(lattice_.vertices(), kInfinity);
  for (uint32_t s = 1; s < states_; ++s)
    if (closure_.may_end(s)) remaining_[size_t{rows.rows_begin(last)} * states_ + s] = 0;
  for (int32_t v = last - 1; v > 0; --v) {
    const auto *begin = rows.turns_begin(v), *end = rows.turns_end(v);
    after_.assign(static_cast<size_t>(end - begin) * states_, kInfinity);
    turned_.resize(after_.size());
    for (const auto* turn = begin; turn != end; ++turn) {
      float* after = after_.data() + static_cast<size_t>(turn - begin) * states_;
      for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
        const float arc = lattice_.arc_cost[a] - reward;
        const float* there = remaining_.data() + size_t{rows.row_of(lattice_.arc_to[a], turn->context)} * states_;
        for (size_t s = 0; s < states_; ++s) after[s] = std::min(after[s], arc + there[s]);
      }
      const uint32_t* next = next_.data() + closure_.class_of(lattice_.emit_token[turn->emission]) * states_;
      float* turned = turned_.data() + static_cast<size_t>(turn - begin) * states_;
      for (size_t s = 0; s < states_; ++s) turned[s] = after[next[s]];
    }
    for (uint32_t row = rows.rows_begin(v); row < rows.rows_end(v); ++row) solve_context(v, row);
  }
  total_ = kInfinity;
  for (int32_t a = lattice_.arc_begin[0]; a < lattice_.arc_begin[1]; ++a) {
    const int32_t to = lattice_.arc_to[a];
    if (to == last) continue;  // no text ends before it begins
    const float there = remaining_[size_t{rows.row_at_start(to)} * states_ + LexicalClosure::kStart];
    total_ = std::min(total_, lattice_.arc_cost[a] + there);
  }
  least_[0] = total_;
}

void LexicalBound::solve_context(int32_t v, uint32_t row) {
  const auto* cells = contexts_->cells(v, row);
  float* here = remaining_.data() + size_t{row} * states_;
  const int32_t begin = lattice_.emit_begin[v], end = lattice_.emit_begin[v + 1];
  float start = kInfinity;
  for (int32_t e = begin; e < end; ++e) {
    const auto [cost, turn] = cells[e - begin];
    const float* turned = turned_.data() + turn * states_;
    for (size_t s = 0; s < states_; ++s) here[s] = std::min(here[s], cost + turned[s]);
    start = std::min(start, cost + after_[turn * states_ + closure_.after_first(lattice_.emit_token[e])]);
  }
  here[LexicalClosure::kStart] = start;  // counts where the context is empty; elsewhere no text begins
  float least = kInfinity;
  for (uint32_t s = 0; s < states_; ++s) {
    if (closure_.hopeless(s)) here[s] = kInfinity;
    least = std::min(least, here[s]);
  }
  least_[v] = std::min(least_[v], least);
}

}  // namespace controldag
