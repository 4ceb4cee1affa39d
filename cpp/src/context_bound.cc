// The lexical bound with n-gram weights: a row for each context that can stand before a vertex, and in it the lexical
// states that can go with that context.
#include <algorithm>

#include "controldag/bounds.h"
#include "controldag/error.h"

namespace controldag {

void LexicalBound::lay_out_rows() {
  const NgramContexts& contexts = *contexts_;
  if (layout_ == contexts.layout()) return;
  layout_ = contexts.layout();
  const auto& groups = contexts.groups();
  meter_.give_back(meter_.used());
  meter_.take(groups.size() * states_ * sizeof(uint32_t));
  place_.assign(groups.size() * states_, kNowhere);
  for (size_t g = 0; g < groups.size(); ++g)
    for (size_t i = 0; i < groups[g].size(); ++i) place_[g * states_ + groups[g][i]] = static_cast<uint32_t>(i);
  moves_index_.clear();
  moves_.clear();
  size_t size = 1;
  for (uint32_t row = 0; row < contexts.rows(); ++row) size += groups[contexts.group(contexts.context(row))].size();
  meter_.take(size * sizeof(float) + contexts.rows() * sizeof(size_t));
  row_at_.assign(1, 0);
  for (uint32_t row = 0; row < contexts.rows(); ++row)
    row_at_.push_back(row_at_.back() + groups[contexts.group(contexts.context(row))].size());
}

uint32_t LexicalBound::next(uint32_t state, uint32_t token_class) const {
  if (!closure_.listed(state, token_class)) return closure_.rest(state);
  const auto* move = closure_.moves_begin(state);
  while (move->token_class != token_class) ++move;
  return move->next;
}

// Where a token of this class takes the states of a group, as places in the group of the context after it.
const std::vector<uint32_t>& LexicalBound::moves(uint32_t group, uint32_t token_class, uint32_t after) {
  const auto& groups = contexts_->groups();
  const uint64_t key = (uint64_t{group} * groups.size() + after) * closure_.classes() + token_class;
  bool added = false;
  const uint32_t index = moves_index_.at(key, static_cast<uint32_t>(moves_.size()), added);
  if (added) {
    meter_.take(groups[group].size() * sizeof(uint32_t) + sizeof(std::vector<uint32_t>) + MemoryMeter::kMapped);
    std::vector<uint32_t> places;
    places.reserve(groups[group].size());
    for (const uint32_t state : groups[group]) places.push_back(place_[after * states_ + next(state, token_class)]);
    moves_.push_back(std::move(places));
  }
  return moves_[index];
}

void LexicalBound::solve_by_context(float reward) {
  lay_out_rows();
  const NgramContexts& contexts = *contexts_;
  const int32_t last = lattice_.last();
  remaining_.assign(row_at_.back(), kInfinity);
  least_.assign(lattice_.vertices(), kInfinity);
  for (int32_t v = last - 1; v > 0; --v) {
    limits_.check_time();
    solve_turns(v, reward);
    for (uint32_t row = contexts.rows_begin(v); row < contexts.rows_end(v); ++row) solve_context(v, row);
  }
  total_ = kInfinity;
  for (int32_t a = lattice_.arc_begin[0]; a < lattice_.arc_begin[1]; ++a) {
    const int32_t to = lattice_.arc_to[a];
    if (to == last) continue;  // no text ends before it begins
    const float there = remaining_[row_at_[contexts.row_of(to, NgramContexts::kStart)]];
    total_ = std::min(total_, lattice_.arc_cost[a] + there);
  }
  least_[0] = total_;
}

// The bound after each turn of a vertex, its arc to come.
void LexicalBound::solve_turns(int32_t v, float reward) {
  const NgramContexts& contexts = *contexts_;
  after_.clear();
  after_at_.clear();
  uint32_t number = 0;
  for (const auto* turn = contexts.turns_begin(v); turn != contexts.turns_end(v); ++turn, ++number) {
    const auto& states = contexts.groups()[contexts.group(turn->context)];
    after_at_.push_back(after_.size());
    after_.resize(after_.size() + states.size(), kInfinity);
    float* after = after_.data() + after_at_.back();
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const float arc = lattice_.arc_cost[a] - reward;
      limits_.spend(states.size());
      if (lattice_.arc_to[a] == lattice_.last()) {
        for (size_t i = 0; contexts.may_end(turn->context) && i < states.size(); ++i)
          if (closure_.may_end(states[i])) after[i] = std::min(after[i], arc + closure_.end_penalty(states[i]));
        continue;
      }
      const float* there = remaining_.data() + row_at_[row_after(v, number, a)];
      for (size_t i = 0; i < states.size(); ++i) after[i] = std::min(after[i], arc + there[i]);
    }
  }
}

void LexicalBound::solve_context(int32_t v, uint32_t row) {
  const NgramContexts& contexts = *contexts_;
  const auto* cells = contexts.cells(v, row);
  const uint32_t context = contexts.context(row), group = contexts.group(context);
  float* here = remaining_.data() + row_at_[row];
  const size_t states = contexts.groups()[group].size();
  const int32_t begin = lattice_.emit_begin[v], end = lattice_.emit_begin[v + 1];
  for (int32_t e = begin; e < end; ++e) {
    const auto [cost, turn] = cells[e - begin];
    if (cost == kInfinity) continue;
    const int32_t token = lattice_.emit_token[e];
    const uint32_t onward = contexts.group(contexts.turns_begin(v)[turn].context);
    const float* after = after_.data() + after_at_[turn];
    limits_.spend(states);
    if (context == NgramContexts::kStart) {
      const uint32_t place = place_[onward * states_ + closure_.after_first(token)];
      if (place != kNowhere) here[0] = std::min(here[0], cost + after[place]);
      continue;
    }
    const uint32_t* places = moves(group, closure_.class_of(token), onward).data();
    for (size_t i = 0; i < states; ++i)
      if (places[i] != kNowhere) here[i] = std::min(here[i], cost + after[places[i]]);
  }
  for (size_t i = 0; i < states; ++i) least_[v] = std::min(least_[v], here[i]);
}

}  // namespace controldag
