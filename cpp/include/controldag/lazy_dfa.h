// A byte NFA as a machine: subset construction on demand, cached for one search.
#pragma once

#include <array>

#include "controldag/lattice.h"
#include "controldag/machine.h"
#include "controldag/nfa.h"
#include "controldag/state_sets.h"

namespace controldag {

// The NFA laid out for walking: made once per constraint and shared by all its searches.
struct CompiledNfa {
  explicit CompiledNfa(const Nfa& nfa);

  struct Edge {
    uint8_t low, high;
    uint32_t to;
  };
  struct Epsilon {
    uint32_t to;
    Guard guard;
  };
  std::vector<uint32_t> edge_begin, epsilon_begin;
  std::vector<Edge> edges;
  std::vector<Epsilon> epsilons;
  std::array<uint8_t, 256> byte_class;
  std::vector<uint8_t> class_byte;  // one byte of each class
  uint32_t start, accept;
  bool sticky;
};

class LazyDfa final : public Machine {
 public:
  LazyDfa(const CompiledNfa& nfa, const Lattice& lattice, const Limits& limits);
  uint32_t start() override { return start_; }
  uint32_t step(uint32_t state, uint32_t token, bool first) override;
  bool accepts(uint32_t state) override;
  Verdict verdict(uint32_t state) override {
    return state == kDeadState ? Verdict::kDead : state == kForeverState ? Verdict::kForever : Verdict::kOpen;
  }

 private:
  static constexpr uint32_t kDeadState = 0, kForeverState = 1, kUnknown = UINT32_MAX;
  enum Before : uint8_t { kNothing, kWord, kOther };

  uint32_t step_byte(uint32_t state, uint8_t byte);
  uint32_t compute(uint32_t state, uint8_t byte_class);
  uint32_t intern(std::vector<uint32_t>& members, Before before);
  void load(uint32_t state);
  void close(std::vector<uint32_t>& members, Before before, int next_byte);

  const CompiledNfa& nfa_;
  const Lattice& lattice_;
  const Limits& limits_;
  MemoryMeter meter_;
  size_t classes_;
  std::vector<uint32_t> next_;  // states × classes
  StateSets sets_;  // state s is set s - 1: NFA states, and, as one more member, what stands before
  std::vector<int8_t> accepts_;
  std::vector<uint8_t> seen_;
  std::vector<uint32_t> members_, moved_;  // scratch: the set last loaded, and what it moves to
  Before before_ = kNothing;
  uint32_t start_;  // kForeverState where every text is accepted
};

}  // namespace controldag
