#include "controldag/length_bound.h"

#include <algorithm>

#include "controldag/search_space.h"

namespace controldag {
namespace {

// Rows and turns with their places: beyond so many even finding out which of them live takes long.
constexpr size_t kMostSlots = size_t{1} << 22;

// to[i] = min(to[i], from[i] + add)
inline void lower(float* __restrict to, const float* __restrict from, int32_t n, float add) {
  for (int32_t i = 0; i < n; ++i) {
    const float cost = from[i] + add;
    to[i] = cost < to[i] ? cost : to[i];
  }
}

}  // namespace

LengthBound::LengthBound(const SearchSpace& space, LexicalBound& rows, const Wanted& wanted)
    : space_(space), lattice_(space.lattice), rows_(rows), contexts_(space.contexts()), closure_(space.closure),
      meter_(space.input.limits) {
  before_.range.resize(lattice_.vertices());
  after_.range.resize(lattice_.vertices());
  set_ranges(wanted.shortest, wanted.longest);
  lay_out_turns();
  if (before_slots_ + after_slots_ > kMostSlots) {
    sums_ = UINT64_MAX;
    return;
  }
  find_living(wanted);
}

// How many tokens can be to come from each vertex, in texts of allowed length.
void LengthBound::set_ranges(int32_t shortest, int32_t longest) {
  const int32_t last = lattice_.last();
  std::vector<int32_t> fewest(lattice_.vertices(), longest + 1), most(lattice_.vertices(), -1);  // tokens before
  fewest[0] = most[0] = 0;
  for (int32_t v = 0; v < last; ++v) {
    const int32_t emitted = v > 0 ? 1 : 0;
    if (most[v] < 0 || (v > 0 && lattice_.emit_begin[v] == lattice_.emit_begin[v + 1])) continue;
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const int32_t to = lattice_.arc_to[a];
      fewest[to] = std::min(fewest[to], fewest[v] + emitted);
      most[to] = std::max(most[to], most[v] + emitted);
    }
  }
  for (int32_t v = last - 1; v >= 0; --v) {
    auto& after = after_.range[v];
    after = {lattice_.vertices(), 0, 0};
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const bool ends = lattice_.arc_to[a] == last;
      const auto there = ends ? Table::Range{0, 1, 0} : before_.range[lattice_.arc_to[a]];
      if (there.first >= there.end || (ends && v == 0)) continue;
      after.first = std::min(after.first, there.first);
      after.end = std::max(after.end, there.end);
    }
    const int32_t emitted = v > 0 ? 1 : 0;
    after.first = std::max(after.first, shortest - most[v] - emitted);
    after.end = std::min(after.end, longest - fewest[v] - emitted + 1);
    const bool speaks = v > 0 && most[v] >= 0 && lattice_.emit_begin[v] < lattice_.emit_begin[v + 1];
    before_.range[v] = {after.first + 1, speaks && after.first < after.end ? after.end + 1 : 0, 0};
  }
}

void LengthBound::lay_out_turns() {
  before_slots_ = after_slots_ = static_cast<size_t>(lattice_.vertices()) * rows_.states_;
  if (!contexts_) return;
  before_slots_ = rows_.row_at_.back();
  after_slots_ = 0;
  for (int32_t v = 0; v < lattice_.last(); ++v) {
    turn_begin_.push_back(turn_slot_.size());
    if (v == 0) turn_slot_.push_back(after_slots_++);  // the one turn without an emission
    for (const auto* turn = contexts_->turns_begin(v); turn != contexts_->turns_end(v); ++turn) {
      turn_slot_.push_back(after_slots_);
      after_slots_ += contexts_->groups()[contexts_->group(turn->context)].size();
    }
  }
  turn_begin_.push_back(turn_slot_.size());
}

uint32_t LengthBound::turns(int32_t v) const {
  return contexts_ ? static_cast<uint32_t>(turn_begin_[v + 1] - turn_begin_[v]) : 1;
}

template <typename Step>
void LengthBound::each_emission(int32_t v, Step&& step) {
  const int32_t begin = lattice_.emit_begin[v], end = lattice_.emit_begin[v + 1];
  if (!contexts_) {
    const std::span<const float> floor = space_.emission_floor();
    const size_t slot = before_slot(v, 0);
    for (int32_t e = begin; e < end; ++e) step(slot, slot + closure_.after_first(lattice_.emit_token[e]), floor[e]);
    // From anywhere else tokens of one class lead to the same states.
    std::vector<std::pair<uint32_t, float>> classes;
    for (int32_t e = begin; e < end; ++e) classes.push_back({closure_.class_of(lattice_.emit_token[e]), floor[e]});
    std::sort(classes.begin(), classes.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    classes.erase(std::unique(classes.begin(), classes.end(), same), classes.end());
    for (uint32_t s = 1; s < closure_.states(); ++s) {
      space_.input.limits.spend(4 * classes.size());
      for (const auto& [token_class, cost] : classes)
        if (!closure_.hopeless(s)) step(slot + s, slot + rows_.next(s, token_class), cost);
    }
    return;
  }
  for (uint32_t row = contexts_->rows_begin(v); row < contexts_->rows_end(v); ++row) {
    const auto* cells = contexts_->cells(v, row);
    const uint32_t context = contexts_->context(row), group = contexts_->group(context);
    for (int32_t e = begin; e < end; ++e) {
      const auto [cost, turn] = cells[e - begin];
      if (cost == kInfinity) continue;
      const uint32_t onward = contexts_->group(contexts_->turns_begin(v)[turn].context);
      const size_t slot = before_slot(v, row), after = after_slot(v, turn);
      if (context == NgramContexts::kStart) {
        const uint32_t place = rows_.place_[onward * rows_.states_ + closure_.after_first(lattice_.emit_token[e])];
        if (place != LexicalBound::kNowhere) step(slot, after + place, cost);
        continue;
      }
      const auto& places = rows_.moves(group, closure_.class_of(lattice_.emit_token[e]), onward);
      space_.input.limits.spend(places.size());
      for (size_t i = 0; i < places.size(); ++i)
        if (places[i] != LexicalBound::kNowhere) step(slot + i, after + places[i], cost);
    }
  }
}

template <typename Step>
void LengthBound::each_arc(int32_t v, Step&& step) {
  for (uint32_t turn = 0; turn < turns(v); ++turn) {
    size_t states = rows_.states_;
    if (contexts_) states = v == 0 ? 1 : contexts_->groups()[contexts_->group(contexts_->turns_begin(v)[turn].context)].size();
    const size_t from = after_slot(v, turn);
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      if (lattice_.arc_to[a] == lattice_.last()) continue;
      const size_t to = before_slot(lattice_.arc_to[a], rows_.row_after(v, turn, a));
      space_.input.limits.spend(states);
      for (size_t i = 0; i < states; ++i) step(from + i, to + i, a, lattice_.arc_to[a]);
    }
  }
}

template <typename End>
void LengthBound::each_end(int32_t v, int32_t arc, End&& end) {
  for (uint32_t turn = 0; turn < turns(v); ++turn) {
    const size_t from = after_slot(v, turn);
    const auto may_end = [&](size_t i, uint32_t state) {
      if (closure_.may_end(state)) end(from + i, lattice_.arc_cost[arc] + closure_.end_penalty(state));
    };
    if (!contexts_) {
      for (uint32_t s = 1; s < rows_.states_; ++s) may_end(s, s);
      continue;
    }
    const uint32_t context = contexts_->turns_begin(v)[turn].context;
    if (!contexts_->may_end(context)) continue;
    const auto& states = contexts_->groups()[contexts_->group(context)];
    for (size_t i = 0; i < states.size(); ++i) may_end(i, states[i]);
  }
}

// Forwards: the slots that texts within the bound can reach.
void LengthBound::find_living(const Wanted& wanted) {
  const uint64_t bytes = (before_slots_ + after_slots_) * sizeof(float);
  meter_.take(2 * bytes);  // of the numbers, and of the costs here
  before_.index.assign(before_slots_, kDead);
  after_.index.assign(after_slots_, kDead);
  std::vector<float> before(before_slots_, kInfinity), after(after_slots_, kInfinity);
  const auto& rest = contexts_ ? rows_.remaining_ : rows_.orders_.front().front().remaining();
  const auto number = [](Table& table, size_t slot, uint32_t& count) {
    if (table.index[slot] == kDead) table.index[slot] = count++;
  };
  size_t before_size = 0, after_size = 0;
  after[0] = 0;
  for (int32_t v = 0; v < lattice_.last(); ++v) {
    space_.input.limits.check_time();
    uint32_t here = 0, emitted = 0;
    uint64_t steps = 0, arcs = 0;
    if (v == 0) number(after_, 0, emitted);
    if (v > 0)
      each_emission(v, [&](size_t from, size_t to, float cost) {
        // Both bounds are sums in single precision: a margin for their rounding is in `most`.
        if (!(before[from] + rest[from] <= wanted.most) || before[from] == kInfinity || rest[from] == kInfinity) return;
        number(before_, from, here);
        number(after_, to, emitted);
        after[to] = std::min(after[to], before[from] + cost - wanted.reward);
        ++steps;
      });
    each_arc(v, [&](size_t from, size_t to, int32_t a, int32_t) {
      if (after_.index[from] == kDead) return;
      before[to] = std::min(before[to], after[from] + lattice_.arc_cost[a]);
      ++arcs;
    });
    before_.range[v].at = before_size;
    after_.range[v].at = after_size;
    before_size += here * before_.range[v].width();
    after_size += emitted * after_.range[v].width();
    sums_ += steps * before_.range[v].width() + arcs * after_.range[v].width();
  }
  before_.range.back().at = before_size;
  after_.range.back().at = after_size;
  meter_.give_back(bytes);
}

void LengthBound::solve() {
  meter_.take((before_.range.back().at + after_.range.back().at) * sizeof(float));
  before_.cost.assign(before_.range.back().at, kInfinity);
  after_.cost.assign(after_.range.back().at, kInfinity);
  for (int32_t v = lattice_.last() - 1; v >= 0; --v) {
    space_.input.limits.check_time();
    if (after_.range[v].width() > 0) solve_vertex(v);
  }
}

void LengthBound::solve_vertex(int32_t v) {
  const auto &after = after_.range[v], &before = before_.range[v];
  for (int32_t a = lattice_.arc_begin[v]; v > 0 && after.first == 0 && a < lattice_.arc_begin[v + 1]; ++a)
    if (lattice_.arc_to[a] == lattice_.last())
      each_end(v, a, [&](size_t slot, float cost) {
        if (float* costs = after_.costs(v, slot)) costs[0] = std::min(costs[0], cost);
      });
  each_arc(v, [&](size_t from, size_t to, int32_t a, int32_t next) {
    const auto& there = before_.range[next];
    const int32_t first = std::max(after.first, there.first), n = std::min(after.end, there.end) - first;
    float* costs = after_.costs(v, from);
    const float* onward = before_.costs(next, to);
    if (n <= 0 || !costs || !onward) return;
    space_.input.limits.spend(static_cast<uint64_t>(n));
    lower(costs + (first - after.first), onward + (first - there.first), n, lattice_.arc_cost[a]);
  });
  const int32_t first = std::max(before.first, after.first + 1), n = std::min(before.end, after.end + 1) - first;
  if (v == 0 || n <= 0) return;
  each_emission(v, [&](size_t from, size_t to, float cost) {
    float* costs = before_.costs(v, from);
    const float* onward = after_.costs(v, to);
    if (!costs || !onward) return;
    space_.input.limits.spend(static_cast<uint64_t>(n));
    lower(costs + (first - before.first), onward + (first - 1 - after.first), n, cost);
  });
}

}  // namespace controldag
