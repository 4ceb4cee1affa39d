// What the exact searches share for one request: the automata, their products, and the length profile.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "controldag/bounds.h"
#include "controldag/ngram_contexts.h"
#include "controldag/product.h"
#include "controldag/program.h"
#include "controldag/search.h"

namespace controldag {

class SearchSpace {
 public:
  explicit SearchSpace(const SearchInput& input);

  // What the token at emission `e` costs after the context that the wide machines hold.
  float emission_cost(int32_t e, uint32_t wide_state) const {
    const float cost = lattice.emit_cost[e];
    if (!ngrams_) return cost;
    return cost + ngrams_->weight(wide.parts(wide_state)[wide.width() - 1], static_cast<uint32_t>(lattice.emit_token[e]));
  }
  // By emission: no more than it costs in any context.
  std::span<const float> emission_floor() const { return contexts_ ? contexts_->floor() : lattice.emit_cost; }
  // Rows of the tokens before each vertex; null where n-gram weights are none, or the lattice has too many.
  const NgramContexts* contexts() const { return contexts_ && contexts_->kept() ? &*contexts_ : nullptr; }
  // Makes the rows finer, for searches that turn out long; false where they cannot be.
  bool sharpen();
  // The n-gram weights of a path.
  double weight_of(const Path& path) const;

  // Whether the wide machines at this state rule every continuation out.
  bool dead_wide(uint32_t state) {
    while (dead_wide_.size() < wide.states())
      dead_wide_.push_back(program.hopeless_wide(wide.parts(static_cast<uint32_t>(dead_wide_.size()))));
    return dead_wide_[state] != 0;
  }
  bool accepts(uint32_t lexical_state, uint32_t wide_state) const {
    return program.accepts(lexical.parts(lexical_state), wide.parts(wide_state));
  }
  double penalty(uint32_t lexical_state, uint32_t wide_state) const {
    return program.has_soft() ? program.penalty(lexical.parts(lexical_state), wide.parts(wide_state)) : 0;
  }

  const SearchInput& input;
  const Lattice& lattice;
  Program program;
  Product lexical, wide;
  const std::vector<LexicalClosure> closures;
  const LexicalClosure& closure;  // the first

 private:
  ContextMachine* ngrams_;  // the program's last wide machine; null: no weights
  bool lexically_feasible() const;
  std::optional<NgramContexts> make_contexts() const;
  std::optional<NgramContexts> contexts_;  // before the profile, which is made from its floor
  MemoryMeter meter_;

 public:
  const LengthProfile profile;
  const bool tracked;

 private:
  std::vector<uint8_t> dead_wide_;
};

// A vertex and the automata's states, in one number: each group's states fit into 24 bits.
inline uint64_t product_key(int32_t vertex, uint32_t lexical, uint32_t wide) {
  return (static_cast<uint64_t>(vertex) << 48) | (uint64_t{lexical} << 24) | wide;
}

}  // namespace controldag
