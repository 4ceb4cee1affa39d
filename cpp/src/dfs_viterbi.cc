// Control-DAG Algorithm 3 as its authors released it, oddities included; `exact` is the search to use.
#include <algorithm>
#include <cmath>

#include "controldag/classic.h"
#include "controldag/composed.h"
#include "controldag/error.h"

namespace controldag {
namespace {

// The best way on from a state with exactly `length` arcs to an end.
struct Suffix {
  int32_t length;
  int32_t emission;
  uint32_t to;
  double cost;
};

class DepthFirst {
 public:
  DepthFirst(const SearchInput& input, const DfsOptions& options)
      : input_(input), options_(options), graph_(input), memo_(graph_.size(), {kUnknown, 0}) {}

  std::optional<Path> run() {
    if (!graph_.alive(Composed::kStart)) return std::nullopt;
    explore();
    std::vector<std::pair<double, int32_t>> order;  // objective, length
    for (size_t s = memo_[Composed::kStart].begin; s < memo_[Composed::kStart].end; ++s) {
      const double weight = input_.lengths.of_tokens(suffixes_[s].length - 1);
      if (std::isfinite(weight)) order.emplace_back(weight * suffixes_[s].cost, suffixes_[s].length);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [objective, length] : order) {
      Path path = trace(length);
      if (path_text(input_.lattice, path).empty()) continue;
      path.cost = path_cost(input_.lattice, path);
      path.objective = path.cost * input_.lengths.of_tokens(length - 1);
      return path;
    }
    return std::nullopt;
  }

 private:
  static constexpr size_t kUnknown = SIZE_MAX;
  struct Range {
    size_t begin, end;
  };
  struct Frame {
    uint32_t state;
    int32_t depth;
    std::vector<Composed::Arc> arcs;
    size_t at;
    bool entered;  // the arc's target has just been explored: the cut came too late for it
    std::vector<Suffix> best;  // by length - 1; cost infinite where there is none
  };

  // Depth first with a stack of our own. A state is finished, and remembered, when its arcs have been followed, however
  // deep it stood and whatever the cut left out.
  void explore() {
    std::vector<Frame> stack;
    stack.push_back(frame(Composed::kStart, 0));
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.at == top.arcs.size()) {
        remember(top);
        stack.pop_back();
        continue;
      }
      const Composed::Arc arc = top.arcs[top.at];
      if (!top.entered && end_seen_ && top.depth + 1 > options_.longest) {
        ++top.at;
      } else if (graph_.final(arc.to)) {
        end_seen_ = true;
        offer(top, arc, 0, 0.0);
        ++top.at;
      } else if (memo_[arc.to].begin != kUnknown) {
        for (size_t s = memo_[arc.to].begin; s < memo_[arc.to].end; ++s)
          offer(top, arc, suffixes_[s].length, suffixes_[s].cost);
        top.entered = false;
        ++top.at;
      } else {
        top.entered = true;
        stack.push_back(frame(arc.to, top.depth + 1));
      }
    }
  }

  Frame frame(uint32_t state, int32_t depth) const {
    Frame made{state, depth, graph_.arcs(state), 0, false, {}};
    double sum = 0;
    for (const auto& arc : made.arcs) sum += std::exp(-static_cast<double>(arc.cost));
    size_t kept = 1;
    double share = 0;
    for (const auto& arc : made.arcs) {
      share += std::exp(-static_cast<double>(arc.cost)) / sum;
      if (!(share < options_.share)) break;
      ++kept;
    }
    kept = std::min({kept, static_cast<size_t>(options_.successors), made.arcs.size()});
    made.arcs.resize(kept);
    return made;
  }

  static void offer(Frame& frame, const Composed::Arc& arc, int32_t length, double cost) {
    const size_t at = static_cast<size_t>(length);
    while (frame.best.size() <= at)
      frame.best.push_back({0, -1, 0, std::numeric_limits<double>::infinity()});
    const double total = cost + arc.cost;
    if (total < frame.best[at].cost) frame.best[at] = {length + 1, arc.emission, arc.to, total};
  }

  void remember(const Frame& frame) {
    memo_[frame.state].begin = suffixes_.size();
    for (const Suffix& suffix : frame.best)
      if (std::isfinite(suffix.cost)) suffixes_.push_back(suffix);
    memo_[frame.state].end = suffixes_.size();
    const uint64_t bytes = suffixes_.size() * sizeof(Suffix);
    if (bytes > input_.limits.max_bytes)
      throw TooLarge("The memory of the search in bytes", bytes, input_.limits.max_bytes);
  }

  Path trace(int32_t length) const {
    Path path;
    uint32_t state = Composed::kStart;
    for (; length > 0; --length) {
      size_t s = memo_[state].begin;
      while (suffixes_[s].length != length) ++s;
      if (suffixes_[s].emission >= 0) {
        path.vertices.push_back(graph_.vertex(state));
        path.emissions.push_back(suffixes_[s].emission);
      }
      state = suffixes_[s].to;
    }
    return path;
  }

  const SearchInput& input_;
  const DfsOptions& options_;
  Composed graph_;
  std::vector<Range> memo_;  // by state: its suffixes
  std::vector<Suffix> suffixes_;
  bool end_seen_ = false;
};

}  // namespace

std::optional<Path> search_dfs_viterbi(const SearchInput& input, const DfsOptions& options) {
  if (!(options.share > 0 && options.share <= 1))
    throw InvalidArgument("share", "be above 0 and at most 1", std::to_string(options.share));
  if (options.successors < 1)
    throw InvalidArgument("successors", "be at least 1", std::to_string(options.successors));
  return DepthFirst(input, options).run();
}

}  // namespace controldag
