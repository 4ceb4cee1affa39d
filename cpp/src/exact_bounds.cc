#include "controldag/exact_bounds.h"

#include <algorithm>
#include <cmath>

#include "controldag/best_first.h"

namespace controldag {

namespace {

// For sums in single precision of the same costs in another order.
float with_margin(double most) { return static_cast<float>(most + 1e-4 * (1 + std::abs(most))); }

}  // namespace

ExactBounds::ExactBounds(SearchSpace& space)
    : space_(space), lexical_(space) {
  reward_ = length_reward(0);
  lexical_.solve(reward_);
  if (!feasible()) return;
  // What the lexical constraints add moves the best length: look again with that in mind.
  const float better = length_reward(excess());
  if (std::abs(better - reward_) > 0.01f) lexical_.solve(reward_ = better);
  // What the bound says of whole texts is a line already.
  lines_.push_back({lexical_.total() + space_.closure.unavoidable_penalty() - 1e-4 * (1 + std::abs(lexical_.total())), reward_});
}

std::optional<Path> ExactBounds::best(SearchStats& stats) {
  if (space_.contexts() && !sharpened_) {
    bool gave_up = false;
    std::optional<Path> found = best_first(space_, lexical_, reward_, stats, &gave_up);
    if (!gave_up) return found;
    sharpened_ = true;
    if (space_.sharpen()) lexical_.solve(reward_);
  }
  return best_first(space_, lexical_, reward_, stats);
}

// The slope of the unconstrained cost over length where the objective is least, `extra` added to every cost.
float ExactBounds::length_reward(double extra) const {
  if (!space_.tracked) return 0;
  const int32_t width = space_.profile.width();
  const float* cost = space_.profile.at(space_.lattice.last());
  int32_t best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int32_t n = 1; n < width; ++n) {
    const double weight = space_.input.lengths.of_tokens(n);
    const double objective = weight * (cost[n] + extra);
    if (std::isfinite(weight) && objective < least) least = objective, best = n;
  }
  if (best < 0) return 0;
  const auto finite = [&](int32_t n) { return n >= 1 && n < width && std::isfinite(cost[n]); };
  const int32_t left = finite(best - 1) ? best - 1 : best, right = finite(best + 1) ? best + 1 : best;
  return left == right ? 0 : (cost[right] - cost[left]) / static_cast<float>(right - left);
}

// By how much the lexical constraints raise the bound above the unconstrained cost at its best length.
double ExactBounds::excess() const {
  if (!space_.tracked) return 0;
  double least = std::numeric_limits<double>::infinity();
  const float* cost = space_.profile.at(space_.lattice.last());
  for (int32_t n = 1; n < space_.profile.width(); ++n)
    least = std::min(least, static_cast<double>(cost[n]) - static_cast<double>(reward_) * n);
  return std::max(0.0, lexical_.total() - least) + space_.closure.unavoidable_penalty();
}

void ExactBounds::add_line(const Path& path) { lines_.push_back({relative_cost(path), reward_}); }

double ExactBounds::least_cost(int32_t tokens) const {
  double least = -std::numeric_limits<double>::infinity();
  for (const Line& line : lines_) least = std::max(least, line.relative + static_cast<double>(line.reward) * tokens);
  return least;
}

float ExactBounds::budget(double upper) const {
  if (!std::isfinite(upper)) return kInfinity;
  const double unavoidable = space_.closure.unavoidable_penalty();
  if (!space_.tracked) return with_margin(upper - unavoidable);
  double most = -std::numeric_limits<double>::infinity();
  for (int32_t n = 1; n < space_.profile.width(); ++n) {
    const double weight = space_.input.lengths.of_tokens(n);
    if (!std::isfinite(weight) || weight * least_cost(n) > upper + 1e-6 * std::abs(upper)) continue;
    most = std::max(most, upper / weight - unavoidable - static_cast<double>(reward_) * n);
  }
  return with_margin(most);
}

std::vector<double> ExactBounds::budgets(double upper) const {
  const double unavoidable = space_.closure.unavoidable_penalty();
  std::vector<double> most(static_cast<size_t>(std::max(0, space_.profile.width())),
                           -std::numeric_limits<double>::infinity());
  for (int32_t n = 1; n < space_.profile.width(); ++n) {
    const double weight = space_.input.lengths.of_tokens(n);
    if (!std::isfinite(weight) || weight * least_cost(n) > upper + 1e-6 * std::abs(upper)) continue;
    most[n] = upper / weight - unavoidable;
  }
  return most;
}

std::pair<int32_t, int32_t> ExactBounds::useful_tokens(double upper) const {
  int32_t shortest = space_.profile.width(), longest = -1;
  for (int32_t n = 1; n < space_.profile.width(); ++n) {
    const double weight = space_.input.lengths.of_tokens(n);
    if (!std::isfinite(weight) || weight * least_cost(n) > upper + 1e-6 * std::abs(upper)) continue;
    shortest = std::min(shortest, n);
    longest = n;
  }
  return {shortest, longest};
}

double ExactBounds::gap(double upper, double relative) const {
  return budget(upper) - (relative - space_.closure.unavoidable_penalty());
}

double ExactBounds::weight_of(const Path& path) const {
  return space_.input.lengths.of_tokens(static_cast<int32_t>(path.vertices.size()));
}

double ExactBounds::objective(const Path& path) const {
  const double weight = weight_of(path);
  return std::isfinite(weight) ? weight * path.cost : weight;  // a free text of a forbidden length is forbidden
}

void ExactBounds::score(Path& path) const {
  path.ngrams = space_.weight_of(path);
  path.cost += path.ngrams;
  path.objective = objective(path);
}

int32_t ExactBounds::promising_tokens(const Path& best) const {
  if (!space_.tracked) return -1;
  // What rounding may hide is a part of what the path costs, however large its penalties are.
  const double own = std::isfinite(best.objective)
                         ? best.objective - best.penalty * weight_of(best)
                         : 0;
  double least = best.objective - 1e-7 * (1 + std::abs(own));
  int32_t promising = -1;
  for (int32_t n = 1; n < space_.profile.width(); ++n) {
    const double weight = space_.input.lengths.of_tokens(n);
    if (!std::isfinite(weight)) continue;
    const double objective = weight * least_cost(n);
    if (objective < least || (promising < 0 && !std::isfinite(least))) least = objective, promising = n;
  }
  return promising;
}

}  // namespace controldag
