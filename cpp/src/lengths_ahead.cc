#include "controldag/lengths_ahead.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace controldag {
namespace {

// Sums in single precision of the same costs in another order differ by less.
constexpr double kMargin = 1e-5;
constexpr double kBudgetMargin = 1e-4;
// Of numbers of tokens, at one vertex.
constexpr int64_t kMostPairs = 1 << 15;

}  // namespace

LengthsAhead::LengthsAhead(const Lattice& lattice, const LengthWeights& lengths, std::span<const float> floor,
                           MemoryMeter& meter)
    : before_(lattice.vertices()), after_(lattice.vertices()), longest_(lattice.vertices()) {
  if (!lengths.tracked()) return;
  longest_ = lengths.max_tokens(lattice);
  for (int32_t n = 0; n <= longest_; ++n) {
    const double weight = lengths.of_tokens(n);
    weight_.push_back(std::isfinite(weight) ? weight : std::numeric_limits<double>::quiet_NaN());
  }
  set_ranges(lattice);
  uint64_t cells = 0;
  for (auto* rows : {&before_, &after_})
    for (Row& row : *rows) row.at = cells, cells += static_cast<uint64_t>(std::max(0, row.end - row.first));
  if (cells * sizeof(float) > meter.limit() / 4) return;
  meter.take(cells * sizeof(float));
  costs_.assign(cells, kInfinity);
  solve(lattice, floor, meter.limits());
}

// How many tokens can be to come. A vertex that cannot reach the end has none, not even 0.
void LengthsAhead::set_ranges(const Lattice& lattice) {
  for (int32_t v = lattice.last() - 1; v >= 0; --v) {
    Row& after = after_[v];
    after = {lattice.vertices(), 0, 0};
    for (int32_t a = lattice.arc_begin[v]; a < lattice.arc_begin[v + 1]; ++a) {
      const bool ends = lattice.arc_to[a] == lattice.last();
      const Row there = ends ? Row{0, 1, 0} : before_[lattice.arc_to[a]];
      if (there.first >= there.end || (ends && v == 0)) continue;
      after.first = std::min(after.first, there.first);
      after.end = std::max(after.end, there.end);
    }
    after.end = std::min(after.end, longest_ + 1);
    const bool speaks = v > 0 && lattice.emit_begin[v] < lattice.emit_begin[v + 1];
    before_[v] = {after.first + 1, speaks ? std::min(after.end, longest_) + 1 : 0, 0};
  }
}

void LengthsAhead::solve(const Lattice& lattice, std::span<const float> floor, const Limits& limits) {
  for (int32_t v = lattice.last() - 1; v >= 0; --v) {
    const Row& after = after_[v];
    float* costs = costs_.data() + after.at;
    for (int32_t a = lattice.arc_begin[v]; a < lattice.arc_begin[v + 1] && after.first < after.end; ++a) {
      const float arc = lattice.arc_cost[a];
      if (lattice.arc_to[a] == lattice.last()) {
        if (v > 0 && after.first == 0) costs[0] = std::min(costs[0], arc);
        continue;
      }
      limits.spend(static_cast<uint64_t>(after.end - after.first));
      const Row& there = before_[lattice.arc_to[a]];
      const float* onward = costs_.data() + there.at;
      for (int32_t k = there.first; k < std::min(there.end, after.end); ++k)
        costs[k - after.first] = std::min(costs[k - after.first], arc + onward[k - there.first]);
    }
    const Row& before = before_[v];
    if (before.first >= before.end) continue;
    float least = kInfinity;
    for (int32_t e = lattice.emit_begin[v]; e < lattice.emit_begin[v + 1]; ++e) least = std::min(least, floor[e]);
    float* emitting = costs_.data() + before.at;
    for (int32_t k = before.first; k < before.end; ++k)
      emitting[k - before.first] = least + costs[k - 1 - after.first];
  }
}

void LengthsAhead::budgets(int32_t vertex, std::span<const double> most_by_tokens, std::vector<float>& most) const {
  const int32_t width = longest_ + 1;
  most.assign(width, kInfinity);
  const auto finite = [](double value) { return value > -std::numeric_limits<double>::infinity(); };
  int32_t first = 0, end = std::min<int32_t>(width, static_cast<int32_t>(most_by_tokens.size()));
  while (first < end && !finite(most_by_tokens[first])) ++first;
  while (end > first && !finite(most_by_tokens[end - 1])) --end;
  const Row& row = before_[vertex];
  // It takes as many steps as there are pairs of numbers of tokens: only where these are few.
  if (costs_.empty() || static_cast<int64_t>(end - first) * width > kMostPairs) return;
  const float* ahead = costs_.data() + row.at;
  for (int32_t tokens = 0; tokens < width; ++tokens) {
    double allowed = -std::numeric_limits<double>::infinity();
    for (int32_t n = std::max(first, tokens + row.first); n < std::min(end, tokens + row.end); ++n)
      allowed = std::max(allowed, most_by_tokens[n] - ahead[n - tokens - row.first]);
    if (std::isfinite(allowed)) allowed += kBudgetMargin * (1 + std::abs(allowed));
    most[tokens] = static_cast<float>(allowed);
  }
}

double LengthsAhead::least_objective(const Prefix& prefix, double added) const {
  const Row& row = (prefix.emitted ? after_ : before_)[prefix.vertex];
  const float* ahead = costs_.empty() ? nullptr : costs_.data() + row.at;
  const int32_t first = std::max(row.first, shortest_ - prefix.tokens);
  const int32_t end = std::min(row.end, longest_ + 1 - prefix.tokens);
  double best = std::numeric_limits<double>::infinity();
  for (int32_t k = first; k < end; ++k) {
    float to_come = prefix.rest + prefix.reward * static_cast<float>(k);
    if (ahead) to_come = std::max(to_come, ahead[k - row.first]);
    const double cost = static_cast<double>(prefix.cost) + to_come;
    const double objective = weight_[prefix.tokens + k] * (cost - kMargin * (1 + std::abs(cost)) + added);
    if (objective < best) best = objective;  // never for one that is not a number
  }
  return best;
}

double LengthsAhead::least_objective(int32_t tokens, float cost, const LengthBound::Ahead& ahead, double added) const {
  const int32_t first = std::max(ahead.first, shortest_ - tokens);
  const int32_t end = std::min(ahead.end, longest_ + 1 - tokens);
  double best = std::numeric_limits<double>::infinity();
  for (int32_t k = first; k < end; ++k) {
    const double whole = static_cast<double>(cost) + ahead.cost[k - ahead.first];
    const double objective = weight_[tokens + k] * (whole - kMargin * (1 + std::abs(whole)) + added);
    if (objective < best) best = objective;  // never for one that is not a number
  }
  return best;
}

}  // namespace controldag
