#include "controldag/context_machine.h"

namespace controldag {

ContextMachine::ContextMachine(const TokenWeights& weights, const Lattice& lattice, const Limits& limits, uint32_t order)
    : weights_(weights), lattice_(lattice), meter_(limits), order_(order) {
  number(0);
}

TokenWeights::Step ContextMachine::compute(uint32_t state, uint32_t token) {
  const int64_t id = lattice_.token_id[token];
  const auto found =
      order_ > 0 ? weights_.least_step(context_[state], id, order_) : weights_.step(context_[state], id);
  return {number(found.state), found.weight};
}

uint32_t ContextMachine::number(uint32_t context) {
  bool added = false;
  const uint32_t made = meter_.at(numbers_, context, static_cast<uint32_t>(context_.size()), added);
  if (added) meter_.push(context_, context);
  return made;
}

}  // namespace controldag
