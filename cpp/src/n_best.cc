// Exact n-best of distinct strings: as the exact search, with up to n distinct prefixes per product state and length.
// A string outside the n cheapest distinct prefixes of a state has n distinct strings below it, so dropping it is safe.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "controldag/best_first.h"
#include "controldag/error.h"
#include "controldag/exact_bounds.h"

namespace controldag {
namespace {

// Polynomial hashes of texts modulo the Mersenne prime 2^61 - 1: the hash of a longer text follows from the shorter's.
constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
constexpr uint64_t kBase = 1'000'003'918'273'645'129ull % kPrime;

uint64_t multiply(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  const uint64_t sum = static_cast<uint64_t>(product & kPrime) + static_cast<uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

struct TextHash {
  uint64_t value = 0, power = 1;
};

TextHash hash_of(const std::string& bytes, size_t from) {
  TextHash hash;
  for (size_t i = from; i < bytes.size(); ++i) {
    hash.value = (multiply(hash.value, kBase) + static_cast<uint8_t>(bytes[i]) + 1) % kPrime;
    hash.power = multiply(hash.power, kBase);
  }
  return hash;
}

uint64_t extend(uint64_t text, const TextHash& token) {
  return (multiply(text, token.power) + token.value) % kPrime;
}

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
  std::vector<Cell> cells;  // by number of tokens; one cell where lengths do not matter
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

class NBestSearch {
 public:
  NBestSearch(const SearchInput& input, size_t n)
      : in_(input), space_(input), lattice_(input.lattice), n_(n) {
    for (const std::string& surface : lattice_.surface) {
      hashes_.push_back(hash_of(surface, 0));
      first_hashes_.push_back(hash_of(surface, surface[0] == ' ' ? 1 : 0));
    }
  }

  std::vector<Path> run(SearchStats& stats) {
    if (space_.profile.width() <= 0) return {};
    ExactBounds bounds(space_);
    if (!bounds.feasible()) return {};
    std::optional<Path> best = bounds.best(stats);
    if (!best) return {};
    bounds.score(*best);
    bounds.add_line(*best);
    const double first = best->objective;
    // The slack is one of costs: weighed by length, as the objective is, it is a small part of that for long texts.
    for (double slack = weight_of(best->vertices.size());; slack *= 2) {
      ++stats.rounds;
      const bool last_round = stats.rounds > 6 || !std::isfinite(first);
      const double upper = last_round ? std::numeric_limits<double>::infinity() : first + slack;
      round_within(bounds.budget(upper), bounds, stats);
      std::vector<Final> ranked = ranked_finals();
      if (last_round || (ranked.size() >= n_ && ranked[n_ - 1].objective <= upper)) return paths(ranked, bounds);
    }
  }

 private:
  void round_within(float most, const ExactBounds& bounds, SearchStats& stats) {
    finals_.clear();
    nodes_.clear();
    bytes_ = 0;
    std::vector<Table> before(lattice_.vertices());
    Table after;
    after.at(0, 0, width()).cells[0].push_back({0, kNone, kNone, 0});
    follow_arcs(0, after, before, bounds);
    for (int32_t v = 1; v < lattice_.last(); ++v) {
      if (before[v].states.empty()) continue;
      stats.states += before[v].states.size();
      Table emitted;
      for (State& state : before[v].states) emit(v, state, most, bounds, emitted);
      keep(emitted);
      follow_arcs(v, emitted, before, bounds);
      before[v] = Table();
      check_limits(stats);
    }
  }

  size_t width() const { return static_cast<size_t>(space_.profile.width()); }

  void emit(int32_t v, State& state, float most, const ExactBounds& bounds, Table& emitted) {
    const float rest = bounds.lexical().remaining(v, state.lexical, state.wide);
    bool alive = false;
    for (size_t l = 0; l < width(); ++l) {
      const float allowed = most - rest + bounds.reward() * static_cast<float>(l);
      std::erase_if(state.cells[l], [&](const Entry& entry) { return !(entry.cost <= allowed); });
      alive = alive || !state.cells[l].empty();
    }
    if (!alive) return;
    const size_t shift = space_.tracked ? 1 : 0;
    for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
      const uint32_t token = lattice_.emit_token[e];
      const uint32_t wide = space_.wide.step(state.wide, token);
      if (space_.dead_wide(wide)) continue;
      const float cost = space_.emission_cost(e, state.wide);
      State& next = emitted.at(space_.lexical.step(state.lexical, token), wide, width());
      for (size_t l = 0; l + shift < width(); ++l)
        for (const Entry& entry : state.cells[l]) {
          const bool first = entry.token == kNone;
          const uint64_t hash = extend(entry.hash, first ? first_hashes_[token] : hashes_[token]);
          offer(next.cells[l + shift], {entry.cost + cost, static_cast<uint32_t>(e), entry.token, hash}, n_);
        }
    }
  }

  // The entries that survived get nodes, which their continuations point to.
  void keep(Table& emitted) {
    for (State& state : emitted.states)
      for (Cell& cell : state.cells)
        for (Entry& entry : cell) {
          nodes_.push_back({entry.parent, static_cast<int32_t>(entry.token)});
          entry.token = static_cast<uint32_t>(nodes_.size() - 1);
        }
  }

  void follow_arcs(int32_t v, const Table& emitted, std::vector<Table>& before, const ExactBounds& bounds) {
    for (const State& state : emitted.states)
      for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
        const int32_t to = lattice_.arc_to[a];
        const float arc = lattice_.arc_cost[a];
        if (to == lattice_.last()) {
          if (v > 0) finish(state, arc);
          continue;
        }
        if (bounds.lexical().remaining(to, state.lexical, state.wide) == kInfinity) continue;
        State& next = before[to].at(state.lexical, state.wide, width());
        for (size_t l = 0; l < width(); ++l)
          for (const Entry& entry : state.cells[l]) {
            const size_t size = next.cells[l].size();
            offer(next.cells[l], {entry.cost + arc, entry.token, kNone, entry.hash}, n_);
            bytes_ += (next.cells[l].size() - size) * sizeof(Entry);
          }
      }
  }

  double weight_of(size_t tokens) const {
    return space_.tracked ? in_.lengths.of_tokens(static_cast<int32_t>(tokens)) : 1.0;
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

  std::vector<Path> paths(const std::vector<Final>& ranked, const ExactBounds& bounds) const {
    std::vector<Path> found;
    for (size_t i = 0; i < ranked.size() && i < n_; ++i) {
      Path path;
      path.penalty = ranked[i].penalty;
      for (uint32_t node = ranked[i].node; node != kNone; node = nodes_[node].parent)
        path.emissions.push_back(nodes_[node].emission);
      std::reverse(path.emissions.begin(), path.emissions.end());
      for (int32_t e : path.emissions) path.vertices.push_back(vertex_of(lattice_, e));
      path.cost = path_cost(lattice_, path);
      bounds.score(path);
      found.push_back(std::move(path));
    }
    return found;
  }

  void check_limits(const SearchStats& stats) const {
    in_.limits.check_time();
    if (stats.states > in_.limits.max_states)
      throw TooLarge("The number of search states", stats.states, in_.limits.max_states);
    const uint64_t bytes = bytes_ + nodes_.size() * sizeof(Node) + finals_.size() * 64;
    if (bytes > in_.limits.max_bytes) throw TooLarge("The memory of the search in bytes", bytes, in_.limits.max_bytes);
  }

  const SearchInput& in_;
  SearchSpace space_;
  const Lattice& lattice_;
  const size_t n_;
  std::vector<TextHash> hashes_, first_hashes_;
  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, Final> finals_;
  uint64_t bytes_ = 0;
};

}  // namespace

std::vector<Path> search_n_best(const SearchInput& input, int32_t n, SearchStats& stats) {
  if (n < 1) throw InvalidArgument("n_best", "be at least 1", std::to_string(n));
  return NBestSearch(input, static_cast<size_t>(n)).run(stats);
}

}  // namespace controldag
