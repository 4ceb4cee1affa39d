// The contexts of n-gram weights as a machine: it rules nothing out, its state only says what the next token costs.
#pragma once

#include <vector>

#include "controldag/flat_map.h"
#include "controldag/lattice.h"
#include "controldag/machine.h"
#include "controldag/metered.h"
#include "controldag/token_weights.h"

namespace controldag {

// Its states are numbered as they are met, and steps are remembered: looking one up in the weights costs far more.
class ContextMachine final : public Machine {
 public:
  // `order`: contexts are cut to so many tokens, and a token weighs as little as in any that is cut to the same;
  // 0: they are whole.
  ContextMachine(const TokenWeights& weights, const Lattice& lattice, const Limits& limits, uint32_t order = 0);
  uint32_t start() override { return 0; }
  uint32_t step(uint32_t state, uint32_t token, bool) override { return known(state, token).state; }
  bool accepts(uint32_t) override { return true; }
  Verdict verdict(uint32_t) override { return Verdict::kOpen; }
  float weight(uint32_t state, uint32_t token) { return known(state, token).weight; }
  // The state here of what is, in another machine of the same weights, not cut or cut to more tokens.
  uint32_t cut(const ContextMachine& finer, uint32_t state) { return number(weights_.cut(finer.context_[state], order_)); }
  const TokenWeights& weights() const { return weights_; }

 private:
  TokenWeights::Step known(uint32_t state, uint32_t token) {
    bool added = false;
    TokenWeights::Step& step = meter_.at(steps_, (uint64_t{state} << 32) | token, TokenWeights::Step{}, added);
    if (added) step = compute(state, token);  // never touches steps_, so `step` stays valid
    return step;
  }
  TokenWeights::Step compute(uint32_t state, uint32_t token);
  uint32_t number(uint32_t context);

  const TokenWeights& weights_;
  const Lattice& lattice_;
  MemoryMeter meter_;
  const uint32_t order_;
  FlatMap numbers_{256};                         // by the weights' context
  std::vector<uint32_t> context_;                // by state
  FlatTable<TokenWeights::Step> steps_{512};  // by state and token
};

}  // namespace controldag
