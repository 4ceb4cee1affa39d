// Exact n-best of distinct texts: best-first over prefixes, up to n distinct ones for each product state and length.
// A string outside the n cheapest distinct prefixes of a state has n distinct strings below it, so dropping it is safe.
#include "controldag/best_texts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "controldag/error.h"
#include "controldag/lengths_ahead.h"
#include "controldag/metered.h"
#include "controldag/text_hash.h"

namespace controldag {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
// Sums in single precision of the same costs in another order differ by less.
constexpr double kMargin = 1e-5;
// Prefixes taken up between two looks at the clock: well under a millisecond.
constexpr uint32_t kBetweenLooks = 64;

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

struct Taken {
  uint32_t texts;  // up to n
  float dearest;   // of these
};

struct Token {  // of a prefix that was taken up
  uint32_t before;
  int32_t emission;
};

// The n best texts so far, each once.
class Ranking {
 public:
  explicit Ranking(size_t n) : n_(n) {}
  bool full() const { return order_.size() >= n_; }
  double worst() const { return full() ? order_.rbegin()->first : std::numeric_limits<double>::infinity(); }
  // Whether it is among the best.
  bool add(uint64_t hash, Path path) {
    const auto known = paths_.find(hash);
    if (known != paths_.end()) {
      if (!(path.objective < known->second.second.objective)) return false;
      order_.erase({known->second.second.objective, known->second.first});
      hash_of_.erase(known->second.first);
      paths_.erase(known);
    } else if (full()) {
      if (!(path.objective < worst())) return false;
      paths_.erase(hash_of_.at(order_.rbegin()->second));
      hash_of_.erase(order_.rbegin()->second);
      order_.erase(std::prev(order_.end()));
    }
    order_.insert({path.objective, ++added_});
    hash_of_[added_] = hash;
    paths_.emplace(hash, std::pair(added_, std::move(path)));
    return true;
  }
  std::vector<Path> take() {
    std::vector<Path> found;
    for (const auto& [_, number] : order_) found.push_back(std::move(paths_.at(hash_of_.at(number)).second));
    return found;
  }

 private:
  size_t n_;
  uint64_t added_ = 0;
  std::set<std::pair<double, uint64_t>> order_;  // objective, and when it came
  std::unordered_map<uint64_t, uint64_t> hash_of_;
  std::unordered_map<uint64_t, std::pair<uint64_t, Path>> paths_;
};

class TextSearch {
 public:
  TextSearch(SearchSpace& space, const ExactBounds& bounds, const TextsWanted& wanted)
      : space_(space), lattice_(space.lattice), bounds_(bounds), n_(wanted.texts), patience_(wanted.patience),
        ranking_(wanted.texts), meter_(space.input.limits),
        ahead_(space.lattice, space.input.lengths, space.emission_floor(), meter_), hashes_(space.lattice) {}

  std::vector<Path> run(std::optional<Path> known, SearchStats& stats, bool* gave_up) {
    if (known && std::isfinite(known->objective)) {
      const uint64_t text = text_of(*known);
      rank(text, std::move(*known));
    }
    const uint32_t start = state(emitted_, {0, 0, 0, 0, true});
    take_up({0, 0, 0, start, kNone, -1, 0});
    while (!queue_.empty() && queue_.front().estimate < ranking_.worst()) {
      const Entry top = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      if (admitted(top)) take_up(top);
      if (gave_up && admitted_ > patience_) {
        *gave_up = true;
        break;
      }
    }
    stats.states += states_.size();
    return ranking_.take();
  }

 private:
  // Whether the prefix is one of the n cheapest of its state and length, and cheaper than its text was there before.
  // Estimates under n-gram weights depend on the way to a state: a cheaper prefix may come after dearer ones.
  bool admitted(const Entry& entry) {
    bool added = false;
    const uint64_t place = (uint64_t{entry.state} << 17) | static_cast<uint32_t>(entry.tokens);
    Taken& taken = meter_.at(taken_, place, Taken{0, -kInfinity}, added);
    if (taken.texts >= n_ && !(entry.cost < taken.dearest)) return false;
    if (n_ > 1) {
      const uint64_t mixed = (entry.hash ^ (place * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
      float& known = meter_.at(texts_, (mixed ^ (mixed >> 32)) >> 1, kInfinity, added);
      if (!(entry.cost < known)) return false;
      known = entry.cost;
      if (!added) taken.texts -= taken.texts < n_;  // it takes its own place again
    }
    if (taken.texts < n_) {
      ++taken.texts;
      taken.dearest = std::max(taken.dearest, entry.cost);
    }
    if (++admitted_ > space_.input.limits.max_states)
      throw TooLarge("The number of search states", admitted_, space_.input.limits.max_states);
    if (admitted_ % kBetweenLooks == 0) space_.input.limits.check_time();
    return true;
  }

  void take_up(const Entry& entry) {
    if (!states_[entry.state].emitted) {
      emit(entry);
      return;
    }
    uint32_t prefix = kNone;
    if (entry.emission >= 0) {
      meter_.push(tokens_, {entry.prefix, entry.emission});
      prefix = static_cast<uint32_t>(tokens_.size() - 1);
    }
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
      const float onward = bound.after(here.vertex, turn, lexical);
      const int32_t tokens = space_.tracked ? entry.tokens + 1 : 0;
      // What cannot be among the best is not even looked up in the wide machines.
      const float floor = entry.cost + bound.floor(here.vertex, here.at, e);
      double estimate = least_objective(here.vertex, true, tokens, floor, onward);
      if (!(estimate < ranking_.worst())) continue;
      const uint32_t wide = space_.wide.step(here.wide, token);
      if (space_.dead_wide(wide)) continue;
      const float cost = entry.cost + space_.emission_cost(e, here.wide);
      if (cost != floor) estimate = least_objective(here.vertex, true, tokens, cost, onward);
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
      if (to == lattice_.last()) {
        if (here.vertex > 0) finish(entry.hash, cost, here, prefix);
        continue;
      }
      const uint32_t row = bound.row_after(here.vertex, here.at, a);
      const double estimate = least_objective(to, false, entry.tokens, cost, bound.at(row, place));
      if (!(estimate < ranking_.worst())) continue;
      push({estimate, cost, entry.hash, state(arrived_, {to, here.lexical, here.wide, row, false}), prefix, -1, entry.tokens});
    }
  }

  // No text that begins so has a lower objective; `rest` is what the lexical bound says is to come.
  double least_objective(int32_t vertex, bool emitted, int32_t tokens, float cost, float rest) const {
    if (rest == kInfinity) return std::numeric_limits<double>::infinity();
    const double added = space_.closure.unavoidable_penalty();
    if (space_.tracked) return ahead_.least_objective({vertex, emitted, tokens, cost, rest, bounds_.reward()}, added);
    const double whole = static_cast<double>(cost) + rest;
    return whole - kMargin * (1 + std::abs(whole)) + added;
  }

  void push(const Entry& entry) {
    if (!(entry.estimate < ranking_.worst())) return;
    meter_.push(queue_, entry);
    std::push_heap(queue_.begin(), queue_.end());
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
    for (uint32_t at = prefix; at != kNone; at = tokens_[at].before) path.emissions.push_back(tokens_[at].emission);
    std::reverse(path.emissions.begin(), path.emissions.end());
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
  const size_t n_;
  const uint64_t patience_;
  Ranking ranking_;
  MemoryMeter meter_;
  LengthsAhead ahead_;
  uint64_t admitted_ = 0;
  const TokenHashes hashes_;
  std::vector<State> states_;
  FlatMap arrived_{1024}, emitted_{1024};  // by product key, before and after the vertex emits
  FlatTable<Taken> taken_{1024};           // by state and length: what was taken up
  FlatTable<float> texts_{1024};           // by state, length and text: what it cost
  std::vector<Entry> queue_;               // a binary heap
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Path> best_texts(SearchSpace& space, const ExactBounds& bounds, const TextsWanted& wanted,
                             std::optional<Path> known, SearchStats& stats, bool* gave_up) {
  return TextSearch(space, bounds, wanted).run(std::move(known), stats, gave_up);
}

}  // namespace controldag
