#include <algorithm>
#include <cmath>

#include "controldag/classic.h"
#include "controldag/error.h"

namespace controldag {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// A token emitted after its parent's; the texts of all hypotheses, as a tree.
struct Node {
  uint32_t parent;
  int32_t vertex, emission;
};

struct Candidate {
  double cost;
  uint32_t parent;  // index into the beam
  int32_t vertex, emission;
  uint32_t unmet;   // phrase tokens still to come, by how far each phrase has got
};

// Equal costs go to the candidate that was made first, so that the result does not vary.
bool better(const Candidate& a, const Candidate& b) {
  if (a.cost != b.cost) return a.cost < b.cost;
  if (a.parent != b.parent) return a.parent < b.parent;
  return a.vertex != b.vertex ? a.vertex < b.vertex : a.emission < b.emission;
}

class Beam {
 public:
  Beam(const Lattice& lattice, const std::vector<TokenSequence>& phrases, int32_t size, const LengthWeights& lengths,
       const Limits& limits)
      : lattice_(lattice), phrases_(phrases), size_(static_cast<size_t>(size)), lengths_(lengths), limits_(limits),
        wanted_(lattice.token_id.size(), 0) {
    for (const TokenSequence& phrase : phrases_) machines_.emplace_back(phrase, lattice_);
    least_weight_.assign(lattice.vertices() + 1, std::numeric_limits<double>::infinity());
    for (int32_t n = lattice.vertices() - 1; n >= 0; --n)
      least_weight_[n] = std::min(least_weight_[n + 1], lengths_.of_tokens(n));
  }

  std::optional<Path> run() {
    nodes_ = {{kNone, 0, -1}};
    beam_ = {{0.0, kNone, 0, -1, total()}};
    beam_node_ = {0};
    progress_.assign(phrases_.size(), 0);
    for (int32_t tokens = 0; !beam_.empty(); ++tokens) {
      if (tokens > 0) finish(tokens);
      if (hopeless(tokens)) break;
      expand();
      select();
      if (nodes_.size() > limits_.max_states)
        throw TooLarge("The number of hypotheses of the beam", nodes_.size(), limits_.max_states);
    }
    if (best_node_ == kNone) return std::nullopt;
    Path path = trace(best_node_);
    path.cost = path_cost(lattice_, path);
    path.objective = path.cost * lengths_.of_tokens(static_cast<int32_t>(path.vertices.size()));
    return path;
  }

 private:
  uint32_t total() const {
    uint32_t sum = 0;
    for (const TokenSequence& phrase : phrases_) sum += static_cast<uint32_t>(phrase.size());
    return sum;
  }

  const uint32_t* progress(size_t hypothesis) const { return progress_.data() + hypothesis * phrases_.size(); }

  // Hypotheses that hold every phrase and may end here.
  void finish(int32_t tokens) {
    const double weight = lengths_.of_tokens(tokens);
    if (!std::isfinite(weight)) return;
    for (size_t h = 0; h < beam_.size(); ++h) {
      if (beam_[h].unmet > 0) continue;
      for (int32_t a = lattice_.arc_begin[beam_[h].vertex]; a < lattice_.arc_begin[beam_[h].vertex + 1]; ++a) {
        const double objective = weight * (beam_[h].cost + lattice_.arc_cost[a]);
        if (lattice_.arc_to[a] != lattice_.last() || objective >= best_objective_) continue;
        if (tokens == 1 && path_text(lattice_, trace(beam_node_[h])).empty()) continue;
        best_objective_ = objective;
        best_node_ = beam_node_[h];
      }
    }
  }

  // Whether no continuation can beat what has been found: costs only grow.
  bool hopeless(int32_t tokens) const {
    const double weight = least_weight_[std::min(tokens + 1, lattice_.vertices())];
    if (!std::isfinite(weight)) return true;
    return std::all_of(beam_.begin(), beam_.end(),
                       [&](const Candidate& c) { return c.cost * weight >= best_objective_; });
  }

  void expand() {
    candidates_.clear();
    for (size_t h = 0; h < beam_.size(); ++h) {
      mark_wanted(h);
      const size_t first = candidates_.size();
      for (int32_t a = lattice_.arc_begin[beam_[h].vertex]; a < lattice_.arc_begin[beam_[h].vertex + 1]; ++a) {
        const int32_t to = lattice_.arc_to[a];
        for (int32_t e = lattice_.emit_begin[to]; e < lattice_.emit_begin[to + 1]; ++e)
          candidates_.push_back({beam_[h].cost + lattice_.arc_cost[a] + lattice_.emit_cost[e],
                                 static_cast<uint32_t>(h), to, e, 0});
      }
      keep_best(first);
      for (size_t i = first; i < candidates_.size(); ++i) candidates_[i].unmet = unmet_after(candidates_[i]);
    }
  }

  // Of one hypothesis' candidates: the `size` best, and those with a wanted token.
  void keep_best(size_t first) {
    const auto begin = candidates_.begin() + static_cast<ptrdiff_t>(first);
    if (candidates_.size() - first <= size_) return;
    const auto rest = begin + static_cast<ptrdiff_t>(size_);
    std::nth_element(begin, rest, candidates_.end(), better);
    candidates_.erase(std::remove_if(rest, candidates_.end(),
                                     [&](const Candidate& c) {
                                       return wanted_[lattice_.emit_token[c.emission]] != stamp_;
                                     }),
                      candidates_.end());
  }

  // The next token of each phrase under way, the first one of the others.
  void mark_wanted(size_t hypothesis) {
    ++stamp_;
    for (size_t p = 0; p < phrases_.size(); ++p) {
      const uint32_t at = progress(hypothesis)[p];
      if (at == phrases_[p].size()) continue;
      const auto found = std::find(lattice_.token_id.begin(), lattice_.token_id.end(), phrases_[p][at]);
      if (found != lattice_.token_id.end()) wanted_[static_cast<size_t>(found - lattice_.token_id.begin())] = stamp_;
    }
  }

  uint32_t step(size_t phrase, const Candidate& candidate) {
    return machines_[phrase].step(progress(candidate.parent)[phrase], lattice_.emit_token[candidate.emission], false);
  }

  uint32_t unmet_after(const Candidate& candidate) {
    uint32_t unmet = 0;
    for (size_t p = 0; p < phrases_.size(); ++p)
      unmet += static_cast<uint32_t>(phrases_[p].size()) - step(p, candidate);
    return unmet;
  }

  // The best of every bank, then the best of the rest.
  void select() {
    std::sort(candidates_.begin(), candidates_.end(), better);
    std::vector<uint8_t> seen(total() + 1, 0);
    std::vector<Candidate> chosen, rest;
    for (const Candidate& c : candidates_) {
      (seen[c.unmet] ? rest : chosen).push_back(c);
      seen[c.unmet] = 1;
    }
    // With no phrases there is one bank, and the beam is as wide as asked for.
    const size_t size = phrases_.empty() ? size_ : std::max(size_, chosen.size() + 1);
    for (const Candidate& c : rest) {
      if (chosen.size() >= size) break;
      chosen.push_back(c);
    }
    std::sort(chosen.begin(), chosen.end(), better);
    adopt(chosen);
  }

  void adopt(const std::vector<Candidate>& chosen) {
    std::vector<uint32_t> next_node, next_progress;
    for (const Candidate& c : chosen) {
      nodes_.push_back({beam_node_[c.parent], c.vertex, c.emission});
      next_node.push_back(static_cast<uint32_t>(nodes_.size() - 1));
      for (size_t p = 0; p < phrases_.size(); ++p) next_progress.push_back(step(p, c));
    }
    beam_ = chosen;
    beam_node_.swap(next_node);
    progress_.swap(next_progress);
  }

  Path trace(uint32_t node) const {
    Path path;
    for (; nodes_[node].parent != kNone; node = nodes_[node].parent) {
      path.vertices.push_back(nodes_[node].vertex);
      path.emissions.push_back(nodes_[node].emission);
    }
    std::reverse(path.vertices.begin(), path.vertices.end());
    std::reverse(path.emissions.begin(), path.emissions.end());
    return path;
  }

  const Lattice& lattice_;
  const std::vector<TokenSequence>& phrases_;
  const size_t size_;
  const LengthWeights& lengths_;
  const Limits& limits_;
  std::vector<TokenPhraseMachine> machines_;  // Knuth, Morris and Pratt: how far each phrase has got
  std::vector<double> least_weight_;          // by number of tokens: the least weight of these or more
  std::vector<Node> nodes_;
  std::vector<Candidate> beam_, candidates_;
  std::vector<uint32_t> beam_node_, progress_;  // progress: hypotheses x phrases
  std::vector<uint64_t> wanted_;                // by token: the stamp of the hypothesis that wants it
  uint64_t stamp_ = 0;
  double best_objective_ = std::numeric_limits<double>::infinity();
  uint32_t best_node_ = kNone;
};

}  // namespace

std::optional<Path> search_beam(const Lattice& lattice, const std::vector<TokenSequence>& phrases, int32_t size,
                                const LengthWeights& lengths, const Limits& limits) {
  if (size < 1 || size > kMaxBeam)
    throw InvalidArgument("size", "be between 1 and " + std::to_string(kMaxBeam), std::to_string(size));
  size_t total = 0;
  for (const TokenSequence& phrase : phrases) {
    if (phrase.empty()) throw InvalidArgument("phrases", "have at least one token each", "an empty sequence");
    total += phrase.size();
  }
  if (total > static_cast<size_t>(kMaxPhraseBytes))
    throw InvalidArgument("phrases", "have at most " + std::to_string(kMaxPhraseBytes) + " tokens in all",
                          std::to_string(total));
  return Beam(lattice, phrases, size, lengths, limits).run();
}

}  // namespace controldag
