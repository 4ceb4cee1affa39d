// The lazy product of a group of machines: tuples of states as dense numbers, steps remembered.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "controldag/flat_map.h"
#include "controldag/machine.h"
#include "controldag/metered.h"

namespace controldag {

// State 0 is the start (nothing read yet) and is never entered again, so that the leading blank is dropped once.
class Product {
 public:
  // `dense`: remember steps in a table over all tokens, for machines of few states; else in a hash table.
  // `decisive`: by machine, whether nothing matters once it is dead; the others then take no step.
  Product(const std::vector<std::unique_ptr<Machine>>& machines, size_t tokens, const Limits& limits, bool dense,
          std::vector<uint8_t> decisive = {});
  ~Product();
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  uint32_t step(uint32_t state, uint32_t token) {
    if (state < dense_states_) {
      const size_t at = size_t{state} * tokens_ + token;
      if (dense_[at] == kUnknown) {
        const uint32_t made = compute(state, token);  // may move dense_
        dense_[at] = made;
      }
      return dense_[at];
    }
    bool added = false;
    uint32_t& next = meter_.at(sparse_, (uint64_t{state} << 32) | token, 0u, added);
    if (added) next = compute(state, token);  // never touches sparse_, so `next` stays valid
    return next;
  }
  const uint32_t* parts(uint32_t state) const { return tuples_.data() + size_t{state} * width_; }
  uint32_t states() const { return count_; }
  // The state that is this tuple, which was met before and is not the start.
  uint32_t find(const uint32_t* tuple) const;
  size_t width() const { return width_; }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;
  static constexpr size_t kDenseEntries = size_t{1} << 23;  // 32 MiB of remembered steps, then a hash table
  uint32_t compute(uint32_t state, uint32_t token);
  void add_row();

  const std::vector<std::unique_ptr<Machine>>& machines_;
  uint64_t max_states_;
  MemoryMeter meter_;
  size_t width_, tokens_;
  bool use_dense_;
  uint32_t count_ = 0;
  std::vector<uint32_t> tuples_;
  std::vector<uint32_t> scratch_;
  std::vector<uint8_t> decisive_;
  std::vector<uint32_t> buckets_;  // hash table of state numbers, by tuple
  std::vector<uint32_t> dense_;  // taken from, and given back to, the thread's spare tables
  size_t dense_room_ = 0;
  uint32_t dense_states_ = 0;
  FlatMap sparse_{256};
};

}  // namespace controldag
