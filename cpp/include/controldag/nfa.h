// Nondeterministic automata over bytes: how phrases and patterns are written down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace controldag {

inline bool is_word_byte(uint8_t b) {
  // A word character is an ASCII letter, digit or underscore, or any byte of a non-ASCII character.
  return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') || b == '_' || b >= 0x80;
}

// Zero-width conditions on an epsilon edge.
enum class Guard : uint8_t {
  kNone = 0,
  kNotWordBefore = 1,  // the byte before is no word byte, or there is none
  kNotWordAfter = 2,   // the byte after is no word byte, or there is none
  kBegin = 3,
  kEnd = 4,
  kBoundary = 5,     // exactly one of the two neighbours is a word byte
  kNotBoundary = 6,
};

struct Nfa {
  struct Edge {
    uint32_t from, to;
    uint8_t low, high;
  };
  struct Epsilon {
    uint32_t from, to;
    Guard guard;
  };
  uint32_t states = 0;
  uint32_t start = 0;
  uint32_t accept = 0;
  bool sticky = false;  // once `accept` is reached every continuation is accepted
  std::vector<Edge> edges;
  std::vector<Epsilon> epsilons;

  uint32_t add_state();
  void add_edge(uint32_t from, uint8_t low, uint8_t high, uint32_t to) { edges.push_back({from, to, low, high}); }
  void add_epsilon(uint32_t from, uint32_t to, Guard guard = Guard::kNone) {
    epsilons.push_back({from, to, guard});
  }
  void loop_any(uint32_t state) { add_edge(state, 0, 255, state); }
  // Throws InvalidArgument on indices out of range.
  void check() const;
};

struct Phrase {
  std::string text;
  bool ignore_case = false;
  bool whole_word = false;
};

// Texts that hold, one after another and without overlap, one phrase of each stage.
// One stage: any_of; n equal stages: at least n times; stages of one phrase each: in_order.
Nfa sequence_nfa(const std::vector<std::vector<Phrase>>& stages);

// Texts that hold every phrase at an occurrence of its own: pairwise disjoint spans, in any order.
// Equal phrases need as many occurrences as they are listed.
Nfa own_occurrences_nfa(const std::vector<Phrase>& phrases);

// Whether an occurrence of `a` and one of `b` can share a byte (so that each asking for its own matters).
bool can_overlap(const Phrase& a, const Phrase& b);

}  // namespace controldag
