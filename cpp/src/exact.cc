// Exact search. First the best string under a reward per token that stands for the length weights (a Lagrange
// multiplier), by A*: most often it is already the answer. Where the lengths leave a gap, the lazy product of
// lattice and automata is walked in topological order with a dense array over lengths, emission and transition
// relaxed apart, within the bound that the first string gives.
#include <algorithm>
#include <cmath>

#include "controldag/best_first.h"
#include "controldag/best_texts.h"
#include "controldag/error.h"
#include "controldag/exact_bounds.h"
#include "controldag/metered.h"
#include "controldag/product.h"
#include "controldag/program.h"
#include "controldag/search.h"
#include "controldag/simd.h"

namespace controldag {
namespace {

constexpr uint32_t kNoSlot = UINT32_MAX;
// Slots between two looks at the clock and at what they hold.
constexpr uint32_t kBetweenLooks = 256;

// One product state at one vertex, before or after the vertex emits: `width` costs and back pointers.
struct Slot {
  uint32_t lexical, wide;
  uint32_t vertex;
  uint32_t next;    // the next slot of the same vertex
  uint32_t at;      // before the vertex emits: the row of the bound; after: the turn taken
  float rest;       // before: what remains at least
  uint64_t offset;  // into the pools
};

struct Best {
  double objective = std::numeric_limits<double>::infinity();
  double penalty = 0;
  uint32_t slot = kNoSlot;
  int32_t tokens = 0;
};

struct Edge {
  uint32_t slot, emission;
};

// Tables that keep their memory from one search of a thread to the next: fresh pages cost more than the search. A long
// search gives it back at its end: a service's threads would hold as much as the largest of all that they ever ran.
struct Workspace {
  std::vector<int32_t> low, high;
  std::vector<Slot> slots;
  std::vector<float> costs;
  std::vector<uint32_t> backs;
  std::vector<Edge> edges;
  FlatMap in_map{1024}, out_map{64};
  std::vector<uint32_t> in_head;
};

struct Borrowed {
  Workspace& workspace;
  ~Borrowed() {
    if (workspace.costs.capacity() + workspace.edges.capacity() > (size_t{1} << 20)) workspace = Workspace();
  }
};

class ExactSearch {
 public:
  ExactSearch(const SearchInput& input, Workspace& workspace)
      : in_(input), space_(input), lattice_(input.lattice), low_(workspace.low), high_(workspace.high),
        slots_(workspace.slots), costs_(workspace.costs), backs_(workspace.backs), edges_(workspace.edges),
        in_map_(workspace.in_map), out_map_(workspace.out_map), in_head_(workspace.in_head), meter_(input.limits) {}

  std::optional<Path> run(SearchStats& stats) {
    if (space_.profile.width() <= 0) return std::nullopt;
    ExactBounds bounds(space_);
    if (!bounds.feasible()) return std::nullopt;
    std::optional<Path> best = close_gap(bounds, stats);
    if (!best || settled_) return best;
    // Any better string lies within the bound that this one's objective gives; if no allowed length was met at all,
    // nothing bounds the search but feasibility.
    reward_ = bounds.reward();
    if (!takes_long(stats)) {
      const uint64_t many = space_.tracked ? kManyStates : UINT64_MAX;
      if (const auto found = round_within(bounds.budget(best->objective), bounds.lexical(), many, stats))
        return better_of(*found, *std::move(best), bounds);
    }
    std::optional<Path> known;
    if (std::isfinite(best->objective)) known = *best;
    if (auto texts = texts_by_length(space_, bounds, 1, std::move(known), stats))
      return texts->empty() ? std::nullopt : std::optional(std::move(texts->front()));
    patient_ = true;
    best = close_gap(bounds, stats);
    if (!best || settled_) return best;
    reward_ = bounds.reward();
    const Best found = *round_within(bounds.budget(best->objective), bounds.lexical(), UINT64_MAX, stats);
    return better_of(found, *std::move(best), bounds);
  }

 private:
  static constexpr int kMaxRewards = 8;

  // So many states of the search under one reward, or over lengths, take as long as a bound that knows lengths.
  static constexpr uint64_t kManyStates = 40'000;


  // Whether that bound is worth what it costs. Under n-gram weights it is as soon as the first string is not the answer.
  bool takes_long(const SearchStats& stats) const {
    return !patient_ && space_.tracked && (space_.contexts() || stats.states > kManyStates);
  }

  std::optional<Path> better_of(const Best& found, Path best, const ExactBounds& bounds) const {
    if (found.slot != kNoSlot && found.objective < best.objective) {
      best = trace(found);
      bounds.score(best);
    }
    return std::isfinite(best.objective) ? std::optional(std::move(best)) : std::nullopt;
  }

  // How much may lie between bound and objective before another reward is worth more than the search over lengths,
  // which grows with the gap and with the states that lie on the bound itself.
  static double narrow_enough(uint64_t states) { return states < 2000 ? 8.0 : states < 10'000 ? 4.0 : 2.0; }

  // The best of the strings that are optimal under some reward per token: rewards are tried until one gives the
  // answer itself (`settled_`), or leaves little between its bound and the best objective seen.
  std::optional<Path> close_gap(ExactBounds& bounds, SearchStats& stats) {
    Path best;
    best.objective = std::numeric_limits<double>::infinity();
    // The strings found so far that are too short and too long, nearest to the length that looks best.
    std::optional<std::pair<int32_t, double>> shorter, longer;
    float step = 0.25f;
    for (int tried = 0; tried < kMaxRewards; ++tried) {
      ++stats.rounds;
      const uint64_t before = stats.states;
      std::optional<Path> path = bounds.best(stats);
      if (!path) return std::nullopt;
      bounds.score(*path);
      bounds.add_line(*path);
      const double relative = bounds.relative_cost(*path);
      const int32_t tokens = static_cast<int32_t>(path->vertices.size());
      if (path->objective < best.objective) best = std::move(*path);
      const int32_t promising = bounds.promising_tokens(best);
      settled_ = promising < 0;
      if (settled_ || promising == tokens || takes_long(stats) ||
          bounds.gap(best.objective, relative) < narrow_enough(stats.states - before))
        break;
      // Too short a string asks for a higher reward, too long a one for a lower; between two of them, the slope
      // from one to the other finds what lies below that line.
      (tokens < promising ? shorter : longer) = std::pair<int32_t, double>(tokens, relative + bounds.reward() * tokens);
      float next = bounds.reward() + (tokens < promising ? step : -step);
      if (shorter && longer && shorter->first < longer->first) {
        next = static_cast<float>((longer->second - shorter->second) / (longer->first - shorter->first));
        if (std::abs(next - bounds.reward()) < 1e-4f) break;  // nothing does
      }
      step *= 2;
      bounds.set_reward(next);
    }
    return best;
  }

  // Nothing where it has met more than `many` states.
  std::optional<Best> round_within(float most, const LexicalBound& bound, uint64_t many, SearchStats& stats) {
    reset();
    set_ranges(most, bound);
    Best best;
    stats.relaxations = 0;
    if (high_[0] >= 0) {
      const uint32_t start = slot(out_map_, {0, 0, 0, 0, 0}, out_head_);
      costs_[slots_[start].offset] = 0;
      relax_arcs(0, most, bound, best, stats);
    }
    for (int32_t v = 1; v < lattice_.last(); ++v) {
      if (in_head_[v] == kNoSlot) continue;
      prune(v, most);
      relax_emissions(v, most, bound, stats);
      relax_arcs(v, most, bound, best, stats);
      check_limits();
      if (slots_.size() > many) return std::nullopt;
    }
    stats.states += slots_.size();
    return best;
  }

  void reset() {
    slots_.clear();
    costs_.clear();
    backs_.clear();
    edges_.clear();
    in_map_.clear();
    out_map_.clear();
    out_head_ = kNoSlot;
    in_head_.assign(lattice_.vertices(), kNoSlot);
  }

  // The numbers of tokens before each vertex that can lie on a path within the bound.
  void set_ranges(float most, const LexicalBound& bound) {
    low_.assign(lattice_.vertices(), 0);
    high_.assign(lattice_.vertices(), -1);
    for (int32_t v = 0; v < lattice_.last(); ++v) {
      const float* cost = space_.profile.at(v);
      const float rest = bound.least(v);
      if (rest == kInfinity) continue;
      int32_t from = 0, to = space_.profile.width() - 1;
      const auto outside = [&](int32_t l) {
        return !(cost[l] < kInfinity) || cost[l] - reward_ * static_cast<float>(l) + rest > most;
      };
      while (from <= to && outside(from)) ++from;
      while (to >= from && outside(to)) --to;
      low_[v] = from;
      high_[v] = to;
    }
  }

  int32_t width(int32_t vertex) const { return high_[vertex] - low_[vertex] + 1; }

  // The slot of a product state at a vertex, made on first use with infinite costs.
  struct Place {
    int32_t vertex;
    uint32_t lexical, wide, at;
    float rest;
  };
  uint32_t slot(FlatMap& map, const Place& place, uint32_t& head) {
    const auto [vertex, lexical, wide, at, rest] = place;
    bool added = false;
    const uint64_t key = product_key(vertex, lexical, wide);
    const uint32_t index = map.at(key, static_cast<uint32_t>(slots_.size()), added);
    if (added) {
      meter_.push(slots_, slots_room_, {lexical, wide, static_cast<uint32_t>(vertex), head, at, rest, costs_.size()},
                  MemoryMeter::kMapped);
      head = index;
      meter_.make_room(costs_, costs_room_, static_cast<size_t>(width(vertex)), sizeof(uint32_t));
      backs_.reserve(costs_room_);
      costs_.resize(costs_.size() + width(vertex), kInfinity);
      backs_.resize(costs_.size(), 0);
    }
    return index;
  }

  void prune(int32_t v, float most) {
    uint32_t* link = &in_head_[v];
    while (*link != kNoSlot) {
      Slot& here = slots_[*link];
      float* cost = costs_.data() + here.offset;
      const float rest = here.rest;
      bool alive = false;
      for (int32_t i = 0; i < width(v); ++i) {
        const float total = cost[i] - reward_ * static_cast<float>(low_[v] + i) + rest;
        if (!(total <= most)) cost[i] = kInfinity;
        alive = alive || cost[i] < kInfinity;
      }
      if (alive) {
        link = &here.next;
      } else {
        *link = here.next;
      }
    }
  }

  // The least cost - reward * tokens in a slot, `emitted` tokens of its vertex counted.
  float least(uint32_t s, int32_t emitted) const {
    const int32_t v = static_cast<int32_t>(slots_[s].vertex);
    const float* cost = costs_.data() + slots_[s].offset;
    float found = kInfinity;
    for (int32_t i = 0; i < width(v); ++i) found = std::min(found, cost[i] - reward_ * static_cast<float>(low_[v] + emitted + i));
    return found;
  }

  void relax_emissions(int32_t v, float most, const LexicalBound& bound, SearchStats& stats) {
    out_map_.clear();
    out_head_ = kNoSlot;
    for (uint32_t s = in_head_[v]; s != kNoSlot; s = slots_[s].next) {
      if (++looked_at_ % kBetweenLooks == 0) check_limits();
      const uint32_t lexical = slots_[s].lexical, wide = slots_[s].wide;
      const float here = least(s, 1);
      for (int32_t e = lattice_.emit_begin[v]; e < lattice_.emit_begin[v + 1]; ++e) {
        const uint32_t turn = bound.turn(v, slots_[s].at, e);
        if (turn == LexicalBound::kNoTurn) continue;
        const uint32_t token = lattice_.emit_token[e];
        const uint32_t next_lexical = space_.lexical.step(lexical, token);
        const float onward = bound.after(v, turn, next_lexical);
        in_.limits.spend(static_cast<uint64_t>(width(v) + lattice_.arc_begin[v + 1] - lattice_.arc_begin[v]));
        // What cannot be within the bound is not even looked up in the wide machines.
        if (onward == kInfinity || here + bound.floor(v, slots_[s].at, e) + onward > most) continue;
        const uint32_t next_wide = space_.wide.step(wide, token);
        const float cost = space_.emission_cost(e, wide);
        if (space_.dead_wide(next_wide) || here + cost + onward > most) continue;
        const uint32_t to = slot(out_map_, {v, next_lexical, next_wide, turn, 0}, out_head_);
        meter_.push(edges_, edges_room_, {s, static_cast<uint32_t>(e)});
        relax(costs_.data() + slots_[to].offset, backs_.data() + slots_[to].offset,
              costs_.data() + slots_[s].offset, width(v), cost,
              static_cast<uint32_t>(edges_.size() - 1));
        ++stats.relaxations;
      }
    }
  }

  // An emitting vertex adds a token: entry i of its outgoing slots stands for low + i + 1 tokens.
  void relax_arcs(int32_t v, float most, const LexicalBound& bound, Best& best, SearchStats& stats) {
    const int32_t emitted = space_.tracked && v > 0 ? 1 : 0;
    for (uint32_t s = out_head_; s != kNoSlot; s = slots_[s].next) {
      if (++looked_at_ % kBetweenLooks == 0) check_limits();
      const uint32_t place = bound.place(v, slots_[s].at, slots_[s].lexical);
      const float here = least(s, emitted);
      for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
        const int32_t to = lattice_.arc_to[a];
        if (to == lattice_.last()) {
          if (v > 0) finish(v, s, lattice_.arc_cost[a], emitted, best);
          continue;
        }
        if (width(to) <= 0) continue;
        const uint32_t row = bound.row_after(v, slots_[s].at, a);
        const float rest = bound.at(row, place);
        if (rest == kInfinity || here + lattice_.arc_cost[a] + rest > most) continue;
        const int32_t first = std::max(low_[v] + emitted, low_[to]);
        const int32_t end = std::min(high_[v] + emitted, high_[to]) + 1;
        if (first >= end) continue;
        in_.limits.spend(4 * static_cast<uint64_t>(end - first));
        const uint32_t target = slot(in_map_, {to, slots_[s].lexical, slots_[s].wide, row, rest}, in_head_[to]);
        relax(costs_.data() + slots_[target].offset + (first - low_[to]),
              backs_.data() + slots_[target].offset + (first - low_[to]),
              costs_.data() + slots_[s].offset + (first - low_[v] - emitted), end - first, lattice_.arc_cost[a], s);
        ++stats.relaxations;
      }
    }
  }

  void finish(int32_t v, uint32_t s, float arc, int32_t emitted, Best& best) {
    if (!space_.accepts(slots_[s].lexical, slots_[s].wide)) return;
    const double penalty = space_.penalty(slots_[s].lexical, slots_[s].wide);
    const float* cost = costs_.data() + slots_[s].offset;
    for (int32_t i = 0; i < width(v); ++i) {
      if (!(cost[i] < kInfinity)) continue;
      const int32_t tokens = low_[v] + i + emitted;
      const double weight = space_.tracked ? in_.lengths.of_tokens(tokens) : 1.0;
      if (!std::isfinite(weight)) continue;
      const double objective = weight * (static_cast<double>(cost[i]) + arc + penalty);
      if (objective < best.objective) best = {objective, penalty, s, tokens};
    }
  }

  void check_limits() const {
    in_.limits.check_time();
    if (slots_.size() > in_.limits.max_states)
      throw TooLarge("The number of search states", slots_.size(), in_.limits.max_states);
  }

  Path trace(const Best& best) const {
    Path path;
    path.penalty = best.penalty;
    uint32_t out = best.slot;
    int32_t tokens = best.tokens;
    while (slots_[out].vertex != 0) {
      const int32_t v = static_cast<int32_t>(slots_[out].vertex);
      const int32_t before = space_.tracked ? tokens - 1 : 0;
      const Edge& edge = edges_[backs_[slots_[out].offset + (before - low_[v])]];
      path.vertices.push_back(v);
      path.emissions.push_back(static_cast<int32_t>(edge.emission));
      out = backs_[slots_[edge.slot].offset + (before - low_[v])];
      tokens = before;
    }
    std::reverse(path.vertices.begin(), path.vertices.end());
    std::reverse(path.emissions.begin(), path.emissions.end());
    path.cost = path_cost(lattice_, path);
    return path;
  }

  const SearchInput& in_;
  SearchSpace space_;
  const Lattice& lattice_;
  float reward_ = 0;
  bool settled_ = false;
  bool patient_ = false;  // a bound that knows lengths would be too large
  uint32_t looked_at_ = 0;
  std::vector<int32_t>&low_, &high_;
  std::vector<Slot>& slots_;
  std::vector<float>& costs_;
  std::vector<uint32_t>& backs_;
  std::vector<Edge>& edges_;
  FlatMap &in_map_, &out_map_;
  std::vector<uint32_t>& in_head_;
  MemoryMeter meter_;
  size_t slots_room_ = 0, costs_room_ = 0, edges_room_ = 0;
  uint32_t out_head_ = kNoSlot;
};

}  // namespace

std::optional<Path> search_exact(const SearchInput& input, SearchStats& stats) {
  thread_local Workspace workspace;
  const Borrowed borrowed{workspace};
  return ExactSearch(input, workspace).run(stats);
}

}  // namespace controldag
