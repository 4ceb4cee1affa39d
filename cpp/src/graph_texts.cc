// The n best texts of a product graph: best-first over prefixes, by what the rest costs exactly.
#include "controldag/graph_texts.h"

#include <algorithm>
#include <cmath>

#include "controldag/lengths_ahead.h"
#include "controldag/prefixes.h"
#include "controldag/ranking.h"
#include "controldag/text_hash.h"

namespace controldag {
namespace {

// A prefix that waits for its turn: its last token led to the node.
struct Entry {
  double estimate;  // no text that begins so has a lower objective
  float cost;
  uint64_t hash;  // of its text
  uint32_t node;
  uint32_t prefix;   // the tokens before the last
  int32_t emission;  // the last one; -1: there is none yet
  int32_t tokens;
  bool operator<(const Entry& other) const {
    // The queue gives the greatest first; the rest makes the order the same every time.
    if (estimate != other.estimate) return estimate > other.estimate;
    return node != other.node ? node > other.node : hash > other.hash;
  }
};

class GraphTexts {
 public:
  GraphTexts(SearchSpace& space, const ExactBounds& bounds, ProductGraph& graph, size_t n, double upper, MemoryMeter& meter)
      : space_(space), bounds_(bounds), graph_(graph), meter_(meter), ranking_(n, upper),
        lengths_(space.lattice, space.input.lengths, space.emission_floor(), meter),
        prefixes_(n, space.input.limits, meter), hashes_(space.lattice) {}

  std::vector<Path> run() {
    for (const auto& start : graph_.starts()) push({0, start.cost, 0, start.node, Prefixes::kNone, -1, 0});
    while (!queue_.empty() && queue_.front().estimate < ranking_.worst()) {
      const Entry top = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      if (prefixes_.admit(top.node, top.tokens, top.hash, top.cost)) take_up(top);
    }
    return ranking_.take();
  }

 private:
  void take_up(const Entry& entry) {
    const bool first = entry.emission < 0;
    const uint32_t prefix = first ? Prefixes::kNone : prefixes_.longer(entry.prefix, entry.emission);
    for (const ProductGraph::Edge& edge : graph_.edges(entry.node)) {
      const uint32_t token = static_cast<uint32_t>(space_.lattice.emit_token[edge.emission]);
      const Entry next{0, entry.cost + edge.cost, hashes_.longer(entry.hash, first, token), edge.to, prefix,
                       edge.emission, entry.tokens + 1};
      if (edge.to != ProductGraph::kEnd) push(next);
      else finish(next, graph_.penalty(entry.node, edge));
    }
  }

  void push(Entry entry) {
    const LengthBound::Ahead rest = graph_.rest(entry.node);
    space_.input.limits.spend(4 * static_cast<uint64_t>(rest.end - rest.first));
    entry.estimate = lengths_.least_objective(entry.tokens, entry.cost, rest, space_.closure.unavoidable_penalty());
    if (!(entry.estimate < ranking_.worst())) return;
    meter_.push(queue_, entry);
    std::push_heap(queue_.begin(), queue_.end());
  }

  void finish(const Entry& entry, double penalty) {
    Path path;
    path.penalty = penalty;
    path.emissions = prefixes_.emissions(entry.prefix);
    path.emissions.push_back(entry.emission);
    for (const int32_t e : path.emissions) path.vertices.push_back(vertex_of(space_.lattice, e));
    path.cost = path_cost(space_.lattice, path);
    bounds_.score(path);
    // A node may be reached after numbers of tokens of which only some may end here: the others make it infinite.
    if (path.objective < ranking_.worst()) ranking_.add(entry.hash, std::move(path));
  }

  SearchSpace& space_;
  const ExactBounds& bounds_;
  ProductGraph& graph_;
  MemoryMeter& meter_;
  Ranking ranking_;
  LengthsAhead lengths_;
  Prefixes prefixes_;
  const TokenHashes hashes_;
  std::vector<Entry> queue_;  // a binary heap
};

}  // namespace

std::vector<Path> graph_texts(SearchSpace& space, const ExactBounds& bounds, ProductGraph& graph, size_t n, double upper,
                              MemoryMeter& meter) {
  return GraphTexts(space, bounds, graph, n, upper, meter).run();
}

}  // namespace controldag
