// Exact n-best of distinct texts. Best-first over prefixes first: most often it is done before long. Where lengths leave
// a gap that it would have to fill prefix by prefix, all prefixes of a vertex at once instead: up to n distinct ones for
// each product state and length. A text outside the n cheapest distinct prefixes of a state has n distinct texts below it.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "controldag/best_texts.h"
#include "controldag/error.h"
#include "controldag/lengths_ahead.h"
#include "controldag/metered.h"
#include "controldag/text_hash.h"

namespace controldag {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

struct Entry {
  float cost;
  uint32_t token;  // the last token: before the vertex emits, its node; after, its emission
  uint32_t parent;  // after the vertex emits: the node of the token before
  uint64_t hash;
};
using Cell = std::vector<Entry>;

// Keeps the n cheapest entries of distinct texts.
void offer(Cell& cell, const Entry& entry, size_t n) {
  for (Entry& known : cell)
    if (known.hash == entry.hash) {
      if (entry.cost < known.cost) known = entry;
      return;
    }
  if (cell.size() < n) {
    cell.push_back(entry);
    return;
  }
  auto worst = std::max_element(cell.begin(), cell.end(), [](const Entry& a, const Entry& b) { return a.cost < b.cost; });
  if (entry.cost < worst->cost) *worst = entry;
}

struct State {
  uint32_t lexical, wide;
  std::vector<Cell> cells;  // by number of tokens
};

// The states of one vertex, before or after it emits.
struct Table {
  std::unordered_map<uint64_t, uint32_t> ids;
  std::vector<State> states;
  State& at(uint32_t lexical, uint32_t wide, size_t width) {
    const auto [found, added] =
        ids.emplace((uint64_t{lexical} << 32) | wide, static_cast<uint32_t>(states.size()));
    if (added) states.push_back({lexical, wide, std::vector<Cell>(width)});
    return states[found->second];
  }
};

struct Node {  // one emitted token of a kept string
  uint32_t parent;
  int32_t emission;
};

struct Final {
  double objective, penalty;
  uint32_t node;
};

// All prefixes of a vertex at once. Lengths are tracked.
class ByLength {
 public:
  ByLength(SearchSpace& space, const ExactBounds& bounds, size_t n)
      : space_(space), lattice_(space.lattice), bounds_(bounds), n_(n), meter_(space.input.limits),
        ahead_(space.lattice, space.input.lengths, space.emission_floor(), meter_), hashes_(space.lattice) {}

  // `best`: the least objective there is; `upper`: one that n texts are known not to pass, or infinite.
  std::vector<Path> run(const Path& best, double upper, SearchStats& stats) {
    const double first = best.objective;
    // The slack is one of costs: weighed by length, as the objective is, it is a small part of that for long texts.
    for (double slack = weight_of(best.vertices.size());; slack *= 2) {
      ++stats.rounds;
      const bool last_round = std::isfinite(upper) || stats.rounds > 6 || !std::isfinite(first);
      const double within = last_round ? upper : first + slack;
      round_within(within, stats);
      std::vector<Final> ranked = ranked_finals();
      if (last_round || (ranked.size() >= n_ && ranked[n_ - 1].objective <= within)) return paths(ranked);
    }
  }

 private:
  size_t width() const { return static_cast<size_t>(space_.profile.width()); }
  double weight_of(size_t tokens) const { return space_.input.lengths.of_tokens(static_cast<int32_t>(tokens)); }
  uint64_t bytes_of_state() const { return 2 * sizeof(State) + 32 + width() * sizeof(Cell); }

  void round_within(double upper, SearchStats& stats) {
    finals_.clear();
    nodes_.clear();
    const float most = bounds_.budget(upper);
    const std::vector<double> by_tokens = bounds_.budgets(upper);
    std::vector<Table> before(lattice_.vertices());
    Table after;
    state(after, 0, 0).cells[0].push_back({0, kNone, kNone, 0});
    follow_arcs(0, after, before);
    free(after);
    for (int32_t v = 1; v < lattice_.last(); ++v) {
      if (before[v].states.empty()) continue;
      stats.states += before[v].states.size();
      if (stats.states > space_.input.limits.max_states)
        throw TooLarge("The number of search states", stats.states, space_.input.limits.max_states);
      ahead_.budgets(v, by_tokens, allowed_);
      Table emitted;
      for (State& state : before[v].states) emit(v, state, most, emitted);
      free(before[v]);
      keep(emitted);
      follow_arcs(v, emitted, before);
      free(emitted);
    }
  }

  // Adds to a cell, counting what it takes.
  void offer_to(Cell& cell, const Entry& entry) {
    if (++offered_ % 4096 == 0) space_.input.limits.check_time();
    const size_t held = cell.capacity();
    offer(cell, entry, n_);
    if (cell.capacity() != held) meter_.take((cell.capacity() - held) * sizeof(Entry));
  }

  State& state(Table& table, uint32_t lexical, uint32_t wide) {
    const size_t before = table.states.size();
    State& found = table.at(lexical, wide, width());
    if (table.states.size() > before) meter_.take(bytes_of_state());
    return found;
  }

  void free(Table& table) {
    uint64_t bytes = table.states.size() * bytes_of_state();
    for (const State& state : table.states)
      for (const Cell& cell : state.cells) bytes += cell.capacity() * sizeof(Entry);
    table = Table();
    meter_.give_back(bytes);
  }

  void emit(int32_t v, State& state, float most, Table& emitted) {
    const LexicalBound& bound = bounds_.lexical();
    const float rest = bound.remaining(v, state.lexical, state.wide);
    float cheapest = kInfinity;  // less the rewards of its tokens, that of the one to come counted
    for (size_t l = 0; l < width(); ++l) {
      const float reward = bounds_.reward() * static_cast<float>(l);
      const float allowed = std::min(most - rest + reward, allowed_[l]);
      std::erase_if(state.cells[l], [&](const Entry& entry) { return !(entry.cost <= allowed); });
      for (const Entry& entry : state.cells[l]) cheapest = std::min(cheapest, entry.cost - reward - bounds_.reward());
    }
    if (cheapest == kInfinity) return;
    for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
      space_.input.limits.spend(4 * width());
      const uint32_t token = lattice_.emit_token[e];
      const uint32_t wide = space_.wide.step(state.wide, token);
      if (space_.dead_wide(wide)) continue;
      const float cost = space_.emission_cost(e, state.wide);
      const uint32_t lexical = space_.lexical.step(state.lexical, token);
      if (!bound.by_context() && !(cheapest + cost + bound.after(v, 0, lexical) <= most)) continue;
      State& next = this->state(emitted, lexical, wide);
      for (size_t l = 0; l + 1 < width(); ++l)
        for (const Entry& entry : state.cells[l])
          offer_to(next.cells[l + 1], {entry.cost + cost, static_cast<uint32_t>(e), entry.token,
                                       hashes_.longer(entry.hash, entry.token == kNone, token)});
    }
  }

  // The entries that survived get nodes, which their continuations point to.
  void keep(Table& emitted) {
    for (State& state : emitted.states)
      for (Cell& cell : state.cells)
        for (Entry& entry : cell) {
          meter_.push(nodes_, Node{entry.parent, static_cast<int32_t>(entry.token)});
          entry.token = static_cast<uint32_t>(nodes_.size() - 1);
        }
  }

  void follow_arcs(int32_t v, const Table& emitted, std::vector<Table>& before) {
    for (const State& state : emitted.states)
      for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
        space_.input.limits.spend(4 * width());
        const int32_t to = lattice_.arc_to[a];
        const float arc = lattice_.arc_cost[a];
        if (to == lattice_.last()) {
          if (v > 0) finish(state, arc);
          continue;
        }
        if (bounds_.lexical().remaining(to, state.lexical, state.wide) == kInfinity) continue;
        State& next = this->state(before[to], state.lexical, state.wide);
        for (size_t l = 0; l < width(); ++l)
          for (const Entry& entry : state.cells[l])
            offer_to(next.cells[l], {entry.cost + arc, entry.token, kNone, entry.hash});
      }
  }

  void finish(const State& state, float arc) {
    if (!space_.accepts(state.lexical, state.wide)) return;
    const double penalty = space_.penalty(state.lexical, state.wide);
    for (size_t l = 0; l < width(); ++l) {
      const double weight = weight_of(l);
      if (!std::isfinite(weight)) continue;
      for (const Entry& entry : state.cells[l]) {
        const double objective = weight * (static_cast<double>(entry.cost) + arc + penalty);
        const auto [found, added] = finals_.emplace(entry.hash, Final{objective, penalty, entry.token});
        if (added) meter_.take(64);
        if (!added && objective < found->second.objective) found->second = {objective, penalty, entry.token};
      }
    }
  }

  std::vector<Final> ranked_finals() const {
    std::vector<Final> ranked;
    for (const auto& [_, final] : finals_) ranked.push_back(final);
    std::sort(ranked.begin(), ranked.end(), [](const Final& a, const Final& b) {
      return a.objective != b.objective ? a.objective < b.objective : a.node < b.node;
    });
    return ranked;
  }

  std::vector<Path> paths(const std::vector<Final>& ranked) const {
    std::vector<Path> found;
    for (size_t i = 0; i < ranked.size() && i < n_; ++i) {
      Path path;
      path.penalty = ranked[i].penalty;
      for (uint32_t node = ranked[i].node; node != kNone; node = nodes_[node].parent)
        path.emissions.push_back(nodes_[node].emission);
      std::reverse(path.emissions.begin(), path.emissions.end());
      for (int32_t e : path.emissions) path.vertices.push_back(vertex_of(lattice_, e));
      path.cost = path_cost(lattice_, path);
      bounds_.score(path);
      found.push_back(std::move(path));
    }
    return found;
  }

  SearchSpace& space_;
  const Lattice& lattice_;
  const ExactBounds& bounds_;
  const size_t n_;
  MemoryMeter meter_;
  const LengthsAhead ahead_;
  const TokenHashes hashes_;
  std::vector<float> allowed_;  // by number of tokens before the vertex that emits: the most they may have cost
  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, Final> finals_;
  uint64_t offered_ = 0;
};

// Best-first takes up so many prefixes before all of a vertex at once are cheaper, where n is small enough for that.
constexpr uint64_t kPatience = 8'000;
constexpr size_t kFew = 64;

}  // namespace

std::vector<Path> search_n_best(const SearchInput& input, int32_t n, SearchStats& stats) {
  if (n < 1) throw InvalidArgument("n_best", "be at least 1", std::to_string(n));
  SearchSpace space(input);
  if (space.profile.width() <= 0) return {};
  ExactBounds bounds(space);
  if (!bounds.feasible()) return {};
  if (std::optional<std::vector<Path>> found = texts_by_length(space, bounds, static_cast<size_t>(n), std::nullopt, stats))
    return *std::move(found);
  const std::optional<Path> best = [&] {
    std::optional<Path> found = bounds.best(stats);
    if (found) bounds.score(*found), bounds.add_line(*found);
    return found;
  }();
  if (!best) return {};
  const size_t wanted = static_cast<size_t>(n);
  bool gave_up = false;
  const bool either = space.tracked && wanted <= kFew;
  const uint64_t patience = std::min(kPatience, input.limits.sharpen_after);
  std::vector<Path> texts = best_texts(space, bounds, {wanted, patience}, {*best}, stats, either ? &gave_up : nullptr);
  if (!gave_up) return texts;
  const double upper = texts.size() < wanted ? std::numeric_limits<double>::infinity() : texts.back().objective;
  return ByLength(space, bounds, wanted).run(*best, upper, stats);
}

}  // namespace controldag
