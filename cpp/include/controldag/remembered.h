// Machines around others: one that remembers its steps, and one that stands in two products.
#pragma once

#include <memory>
#include <utility>

#include "controldag/flat_map.h"
#include "controldag/machine.h"
#include "controldag/metered.h"

namespace controldag {

// As the machine it holds; each step is taken once. For machines that share their states among many product states.
class RememberedMachine final : public Machine {
 public:
  RememberedMachine(std::unique_ptr<Machine> machine, const Limits& limits) : machine_(std::move(machine)), meter_(limits) {}
  uint32_t start() override { return machine_->start(); }
  uint32_t step(uint32_t state, uint32_t token, bool first) override {
    bool added = false;
    uint32_t& next = meter_.at(next_, (uint64_t{first} << 63) | (uint64_t{state} << 32) | token, 0u, added);
    if (added) next = machine_->step(state, token, first);
    return next;
  }
  bool accepts(uint32_t state) override { return machine_->accepts(state); }
  Verdict verdict(uint32_t state) override { return machine_->verdict(state); }

 private:
  std::unique_ptr<Machine> machine_;
  MemoryMeter meter_;
  FlatMap next_{512};  // by state and token
};

// As the machine it refers to, which lives elsewhere.
class BorrowedMachine final : public Machine {
 public:
  explicit BorrowedMachine(Machine& machine) : machine_(machine) {}
  uint32_t start() override { return machine_.start(); }
  uint32_t step(uint32_t state, uint32_t token, bool first) override { return machine_.step(state, token, first); }
  bool accepts(uint32_t state) override { return machine_.accepts(state); }
  Verdict verdict(uint32_t state) override { return machine_.verdict(state); }

 private:
  Machine& machine_;
};

}  // namespace controldag
