// Exact n-best of distinct texts: best-first over prefixes.
#include "controldag/best_texts.h"

#include <algorithm>
#include <cmath>

#include "controldag/error.h"
#include "controldag/lengths_ahead.h"
#include "controldag/metered.h"
#include "controldag/prefixes.h"
#include "controldag/ranking.h"
#include "controldag/text_hash.h"

namespace controldag {
namespace {

constexpr uint32_t kNone = Prefixes::kNone;
// Sums in single precision of the same costs in another order differ by less.
constexpr double kMargin = 1e-5;

// A product state at a vertex, before or after it emits.
struct State {
  int32_t vertex;
  uint32_t lexical, wide;
  uint32_t at;  // before: the row of the bound; after: the turn taken
  bool emitted;
};

// A prefix that waits for its turn.
struct Entry {
  double estimate;  // no text that begins so has a lower objective
  float cost;
  uint64_t hash;  // of its text
  uint32_t state;
  uint32_t prefix;   // the tokens before
  int32_t emission;  // the token that led here; -1: an arc did
  int32_t tokens;    // how many, where lengths matter
  bool operator<(const Entry& other) const {
    // The queue gives the greatest first; the rest makes the order the same every time.
    if (estimate != other.estimate) return estimate > other.estimate;
    return state != other.state ? state > other.state : hash > other.hash;
  }
};

using Queue = std::vector<Entry>;  // a binary heap

class TextSearch {
 public:
  TextSearch(SearchSpace& space, const ExactBounds& bounds, const TextsWanted& wanted)
      : space_(space), lattice_(space.lattice), bounds_(bounds), patience_(wanted.patience),
        ranking_(wanted.texts), meter_(space.input.limits), by_length_(wanted.by_length),
        ahead_(space.lattice, space.input.lengths, space.emission_floor(), meter_),
        prefixes_(wanted.texts, space.input.limits, meter_), hashes_(space.lattice),
        queues_(space.tracked ? static_cast<size_t>(space.profile.width()) + 1 : 1) {}

  std::vector<Path> run(std::vector<Path> known, SearchStats& stats, bool* gave_up) {
    for (Path& path : known) {
      if (std::isfinite(path.objective)) {
        const uint64_t text = text_of(path);
        rank(text, std::move(path));
      }
    }
    const uint32_t start = state(emitted_, {0, 0, 0, 0, true});
    take_up({0, 0, 0, start, kNone, -1, 0});
    // Once it takes long, texts in hand are worth more than proofs: lengths take turns.
    while (Queue* queue = gave_up && prefixes_.admitted() > patience_ / 2 ? next_queue() : best_queue()) {
      const Entry top = queue->front();
      std::pop_heap(queue->begin(), queue->end());
      queue->pop_back();
      if (prefixes_.admit(top.state, top.tokens, top.hash, top.cost)) take_up(top);
      if (gave_up && prefixes_.admitted() > patience_) {
        *gave_up = true;
        break;
      }
    }
    stats.states += states_.size();
    return ranking_.take();
  }

 private:
  bool worth(const Queue& queue) const { return !queue.empty() && queue.front().estimate < ranking_.worst(); }

  // Whose first prefix may come to the least objective; null: none may come to one that is wanted.
  Queue* best_queue() {
    Queue* best = nullptr;
    for (Queue& queue : queues_)
      if (worth(queue) && (!best || best->front() < queue.front())) best = &queue;
    return best;
  }

  // Of the next number of tokens that has a prefix which is still wanted.
  Queue* next_queue() {
    for (size_t tried = 0; tried < queues_.size(); ++tried)
      if (worth(queues_[turn_ = (turn_ + 1) % queues_.size()])) return &queues_[turn_];
    return nullptr;
  }

  void take_up(const Entry& entry) {
    if (!states_[entry.state].emitted) {
      emit(entry);
      return;
    }
    uint32_t prefix = kNone;
    if (entry.emission >= 0) prefix = prefixes_.longer(entry.prefix, entry.emission);
    follow_arcs(entry, prefix);
  }

  void emit(const Entry& entry) {
    const State here = states_[entry.state];
    const LexicalBound& bound = bounds_.lexical();
    const bool first = entry.prefix == kNone;
    for (int32_t e = lattice_.emit_begin[here.vertex]; e < lattice_.emit_begin[here.vertex + 1]; ++e) {
      const uint32_t turn = bound.turn(here.vertex, here.at, e);
      if (turn == LexicalBound::kNoTurn) continue;
      const uint32_t token = lattice_.emit_token[e];
      const uint32_t lexical = space_.lexical.step(here.lexical, token);
      const uint32_t place = bound.place(here.vertex, turn, lexical);
      if (place == LexicalBound::kNowhere) continue;
      const int32_t tokens = space_.tracked ? entry.tokens + 1 : 0;
      space_.input.limits.spend(4 * queues_.size());
      const auto least = [&](float cost) {
        if (by_length_) return ahead_.least_objective(tokens, cost, by_length_->after(here.vertex, turn, place), added());
        return least_objective(here.vertex, true, tokens, cost, bound.after(here.vertex, turn, lexical));
      };
      // What cannot be among the best is not even looked up in the wide machines.
      const float floor = entry.cost + bound.floor(here.vertex, here.at, e);
      double estimate = least(floor);
      if (!(estimate < ranking_.worst())) continue;
      const uint32_t wide = space_.wide.step(here.wide, token);
      if (space_.dead_wide(wide)) continue;
      const float cost = entry.cost + space_.emission_cost(e, here.wide);
      if (cost != floor) estimate = least(cost);
      const uint64_t hash = hashes_.longer(entry.hash, first, token);
      push({estimate, cost, hash, state(emitted_, {here.vertex, lexical, wide, turn, true}), entry.prefix, e, tokens});
    }
  }

  void follow_arcs(const Entry& entry, uint32_t prefix) {
    const State here = states_[entry.state];
    const LexicalBound& bound = bounds_.lexical();
    const uint32_t place = bound.place(here.vertex, here.at, here.lexical);
    if (place == LexicalBound::kNowhere) return;
    for (int32_t a = lattice_.arc_begin[here.vertex]; a < lattice_.arc_begin[here.vertex + 1]; ++a) {
      const int32_t to = lattice_.arc_to[a];
      const float cost = entry.cost + lattice_.arc_cost[a];
      space_.input.limits.spend(4 * queues_.size());
      if (to == lattice_.last()) {
        if (here.vertex > 0) finish(entry.hash, cost, here, prefix);
        continue;
      }
      const uint32_t row = bound.row_after(here.vertex, here.at, a);
      const double estimate =
          by_length_ ? ahead_.least_objective(entry.tokens, cost, by_length_->before(to, row, place), added())
                     : least_objective(to, false, entry.tokens, cost, bound.at(row, place));
      if (!(estimate < ranking_.worst())) continue;
      push({estimate, cost, entry.hash, state(arrived_, {to, here.lexical, here.wide, row, false}), prefix, -1, entry.tokens});
    }
  }

  // No text that begins so has a lower objective; `rest` is what the lexical bound says is to come.
  double least_objective(int32_t vertex, bool emitted, int32_t tokens, float cost, float rest) const {
    if (rest == kInfinity) return std::numeric_limits<double>::infinity();
    if (space_.tracked) return ahead_.least_objective({vertex, emitted, tokens, cost, rest, bounds_.reward()}, added());
    const double whole = static_cast<double>(cost) + rest;
    return whole - kMargin * (1 + std::abs(whole)) + added();
  }

  // What every text costs beside its path.
  double added() const { return space_.closure.unavoidable_penalty(); }

  void push(const Entry& entry) {
    if (!(entry.estimate < ranking_.worst())) return;
    Queue& queue = queues_[entry.tokens];
    meter_.push(queue, entry);
    std::push_heap(queue.begin(), queue.end());
  }

  uint32_t state(FlatMap& known, const State& wanted) {
    bool added = false;
    const uint32_t number = meter_.at(known, product_key(wanted.vertex, wanted.lexical, wanted.wide),
                                      static_cast<uint32_t>(states_.size()), added);
    if (added) meter_.push(states_, wanted);
    return number;
  }

  void finish(uint64_t text, float cost, const State& here, uint32_t prefix) {
    if (!space_.accepts(here.lexical, here.wide)) return;
    Path path;
    path.penalty = space_.penalty(here.lexical, here.wide);
    path.emissions = prefixes_.emissions(prefix);
    const double weight = space_.input.lengths.of_tokens(static_cast<int32_t>(path.emissions.size()));
    const double about = cost + path.penalty;
    if (!std::isfinite(weight) || weight * (about - kMargin * (1 + std::abs(cost))) > ranking_.worst()) return;
    for (int32_t e : path.emissions) path.vertices.push_back(vertex_of(lattice_, e));
    path.cost = path_cost(lattice_, path);
    bounds_.score(path);
    rank(text, std::move(path));
  }

  uint64_t text_of(const Path& path) const {
    uint64_t text = 0;
    for (size_t i = 0; i < path.emissions.size(); ++i) {
      const int32_t token = lattice_.emit_token[path.emissions[i]];
      text = hashes_.longer(text, i == 0, static_cast<uint32_t>(token));
    }
    return text;
  }

  void rank(uint64_t text, Path path) {
    if (ranking_.add(text, std::move(path)) && ranking_.full() && space_.tracked) {
      const auto [shortest, longest] = bounds_.useful_tokens(ranking_.worst());
      ahead_.narrow(shortest, longest);
    }
  }

  SearchSpace& space_;
  const Lattice& lattice_;
  const ExactBounds& bounds_;
  const uint64_t patience_;
  Ranking ranking_;
  MemoryMeter meter_;
  const LengthBound* by_length_;
  LengthsAhead ahead_;
  Prefixes prefixes_;
  const TokenHashes hashes_;
  std::vector<State> states_;
  FlatMap arrived_{1024}, emitted_{1024};  // by product key, before and after the vertex emits
  std::vector<Queue> queues_;              // by number of tokens, where lengths matter
  size_t turn_ = 0;
};

}  // namespace

std::vector<Path> best_texts(SearchSpace& space, const ExactBounds& bounds, const TextsWanted& wanted,
                             std::vector<Path> known, SearchStats& stats, bool* gave_up) {
  return TextSearch(space, bounds, wanted).run(std::move(known), stats, gave_up);
}

}  // namespace controldag
