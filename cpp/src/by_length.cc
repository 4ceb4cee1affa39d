// The best texts where lengths are weighed, by a bound that knows lengths: best-first at first; where that takes long,
// all states within an upper objective, which is raised until enough texts are within it.
#include <algorithm>
#include <cmath>

#include "controldag/best_texts.h"
#include "controldag/error.h"
#include "controldag/graph_texts.h"

namespace controldag {
namespace {

// Sums that the bound may take: some ten milliseconds.
constexpr uint64_t kMostSums = uint64_t{1} << 27;
// Prefixes that the first search takes up.
constexpr uint64_t kPatience = 3'000;
// The first upper objective is so much above the least that the bound allows: a cost, weighed by length.
constexpr double kFirstSlack = 2;
constexpr int kMostRounds = 24;
// Beyond so many states a single text is found by trying rewards: it may need fewer, and holds less for each.
constexpr uint64_t kMostNodes = 250'000;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The least objective that the bound allows, and the weight of its length.
std::pair<double, double> least(const SearchSpace& space, const LengthBound& bound) {
  const LengthBound::Ahead whole = bound.after(0, 0, 0);
  std::pair<double, double> found{kInfinite, 0};
  for (int32_t n = std::max(1, whole.first); n < whole.end; ++n) {
    const double weight = space.input.lengths.of_tokens(n);
    const double objective = weight * (whole.cost[n - whole.first] + space.closure.unavoidable_penalty());
    if (std::isfinite(weight) && objective < found.first) found = {objective, weight};
  }
  return found;
}

}  // namespace

std::optional<std::vector<Path>> texts_by_length(SearchSpace& space, ExactBounds& bounds, size_t n,
                                                 std::optional<Path> known, SearchStats& stats) {
  if (!space.tracked) return std::nullopt;
  std::vector<Path> texts;
  double upper = kInfinite;  // that n texts are known not to pass
  const auto set_upper = [&] {
    if (texts.size() == n) upper = texts.back().objective + 1e-5 * (1 + std::abs(texts.back().objective));
  };
  if (known) texts.push_back(*std::move(known));
  set_upper();
  std::pair<int32_t, int32_t> useful{1, space.input.lengths.max_tokens(space.lattice)};
  if (upper < kInfinite) useful = bounds.useful_tokens(upper);
  if (useful.first > useful.second) return texts;
  LengthBound bound(space, bounds.lexical(), {useful.first, useful.second, bounds.budget(upper), bounds.reward()});
  if (bound.sums() > kMostSums) return std::nullopt;
  bound.solve();
  bool gave_up = false;
  const uint64_t patience = std::min(kPatience, space.input.limits.sharpen_after);
  texts = best_texts(space, bounds, {n, patience, &bound}, std::move(texts), stats, &gave_up);
  if (!gave_up) return texts;
  set_upper();
  const auto [lowest, weight] = least(space, bound);
  double slack = kFirstSlack * weight;
  const uint64_t most_states = space.input.limits.max_states;
  for (int round = 1;; ++round) {
    ++stats.rounds;
    double within = lowest + slack;
    // What is known of one text is near the best, what is known of n may be far from them.
    if (round == kMostRounds || !(within + (n == 1 ? slack : 0) < upper)) within = upper;
    MemoryMeter meter(space.input.limits);
    try {
      ProductGraph graph(space, bounds, bound, within, n > 1 ? most_states : std::min(most_states, kMostNodes), meter);
      stats.states += graph.nodes();
      std::vector<Path> found = graph_texts(space, bounds, graph, n, within, meter);
      if (found.size() == n || within == upper) return found;
      // States grow with the slack as a power of it: large steps while they are few. Where no state was left out, little
      // more is to come.
      slack *= graph.nodes() < 500 ? 2 : graph.nodes() < 3000 ? 1.5 : found.empty() ? 1.25 : 1.12;
      if (!graph.cut()) slack = kInfinite;
    } catch (const TooLarge&) {
      if (n > 1 || most_states <= kMostNodes) throw;
      return std::nullopt;
    }
  }
}

}  // namespace controldag
