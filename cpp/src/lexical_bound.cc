#include <algorithm>
#include <bit>

#include "controldag/bounds.h"
#include "controldag/error.h"

namespace controldag {
namespace {

using Bits = std::vector<uint64_t>;

void add_bit(Bits& set, uint32_t member) {
  if (member / 64 >= set.size()) set.resize(member / 64 + 1, 0);
  set[member / 64] |= uint64_t{1} << (member % 64);
}

void join(Bits& into, const Bits& set) {
  if (into.size() < set.size()) into.resize(set.size(), 0);
  for (size_t i = 0; i < set.size(); ++i) into[i] |= set[i];
}

template <typename Visit>
void each_bit(const Bits& set, Visit&& visit) {
  for (size_t i = 0; i < set.size(); ++i)
    for (uint64_t word = set[i]; word != 0; word &= word - 1)
      visit(static_cast<uint32_t>(64 * i + std::countr_zero(word)));
}

}  // namespace

LexicalBound::LexicalBound(const Lattice& lattice, std::span<const float> floor, const Program& program,
                           Product& lexical, const Limits& limits)
    : lattice_(lattice), floor_(floor), reached_(lattice.vertices()), step_begin_(lattice.vertices() + 1, 0) {
  const int32_t last = lattice.last();
  std::vector<uint8_t> hopeless;
  add_bit(reached_[0], 0);
  Bits out;
  for (int32_t v = 0; v < last; ++v) {
    step_begin_[v] = steps_.size();
    std::fill(out.begin(), out.end(), 0);
    if (v == 0) add_bit(out, 0);
    const int32_t begin = lattice.emit_begin[v], emissions = lattice.emit_begin[v + 1] - begin;
    size_t members = 0;
    for (uint64_t word : reached_[v]) members += std::popcount(word);
    steps_.resize(steps_.size() + members * emissions);
    if (steps_.size() * sizeof(uint32_t) > limits.max_bytes)
      throw TooLarge("The memory of the search in bytes", steps_.size() * sizeof(uint32_t), limits.max_bytes);
    uint32_t* next = steps_.data() + step_begin_[v];
    const int32_t* tokens = lattice.emit_token.data() + begin;
    each_bit(reached_[v], [&](uint32_t state) {
      for (int32_t e = 0; e < emissions; ++e) next[e] = lexical.step(state, tokens[e]);
      while (hopeless.size() < lexical.states())
        hopeless.push_back(program.hopeless_lexical(lexical.parts(static_cast<uint32_t>(hopeless.size()))));
      if (out.size() * 64 < hopeless.size()) out.resize(hopeless.size() / 64 + 1, 0);
      for (int32_t e = 0; e < emissions; ++e)
        out[next[e] / 64] |= static_cast<uint64_t>(hopeless[next[e]] == 0) << (next[e] % 64);
      next += emissions;
    });
    for (int32_t a = lattice.arc_begin[v]; a < lattice.arc_begin[v + 1]; ++a)
      if (lattice.arc_to[a] != last) join(reached_[lattice.arc_to[a]], out);
  }
  states_ = lexical.states();
  const uint64_t bytes = states_ * lattice.vertices() * sizeof(float);
  if (bytes > limits.max_bytes) throw TooLarge("The memory of the search in bytes", bytes, limits.max_bytes);
  for (uint32_t s = 0; s < states_; ++s)
    ending_.push_back(s > 0 && program.may_accept_lexical(lexical.parts(s)) ? 0 : kInfinity);
}

void LexicalBound::solve(float reward) {
  const int32_t last = lattice_.last();
  remaining_.assign(states_ * lattice_.vertices(), kInfinity);
  least_.assign(lattice_.vertices(), kInfinity);
  std::copy(ending_.begin(), ending_.end(), remaining_.begin() + static_cast<size_t>(last) * states_);
  std::vector<float> after(states_);  // the bound after the vertex emitted, by state
  for (int32_t v = last - 1; v >= 0; --v) {
    std::fill(after.begin(), after.end(), kInfinity);
    for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
      const float arc = lattice_.arc_cost[a];
      const float* there = remaining_.data() + static_cast<size_t>(lattice_.arc_to[a]) * states_;
      for (size_t s = 0; s < states_; ++s) after[s] = std::min(after[s], arc + there[s]);
    }
    float* here = remaining_.data() + static_cast<size_t>(v) * states_;
    if (v == 0) {
      total_ = least_[0] = here[0] = after[0];  // the start may not end a text: ending_[0] is infinite
      return;
    }
    const int32_t emissions = lattice_.emit_begin[v + 1] - lattice_.emit_begin[v];
    const float* emit = floor_.data() + lattice_.emit_begin[v];
    const uint32_t* next = steps_.data() + step_begin_[v];
    each_bit(reached_[v], [&](uint32_t state) {
      float best = kInfinity;
      for (int32_t e = 0; e < emissions; ++e) best = std::min(best, emit[e] + after[next[e]]);
      next += emissions;
      here[state] = best - reward;
      least_[v] = std::min(least_[v], here[state]);
    });
  }
}

}  // namespace controldag
