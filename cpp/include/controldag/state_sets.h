// Sets of automaton positions as dense state numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "controldag/error.h"
#include "controldag/limits.h"
#include "controldag/metered.h"

namespace controldag {

// Every set ever seen, by number; number 0 is the empty set. Members are kept sorted in one flat array.
class StateSets {
 public:
  explicit StateSets(const Limits& limits) : max_states_(limits.max_states), meter_(limits), begin_{0, 0}, buckets_(64, 0) {}

  // The number of a set; `positions` is sorted and freed of doubles here.
  uint32_t number(std::vector<uint32_t>& positions) {
    if (positions.empty()) return 0;
    if (positions.size() > 1) {
      std::sort(positions.begin(), positions.end());
      positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    }
    if (2 * size() > buckets_.size()) widen();
    size_t i = hash(positions) & (buckets_.size() - 1);
    for (; buckets_[i] != 0; i = (i + 1) & (buckets_.size() - 1))
      if (std::ranges::equal(members(buckets_[i]), positions)) return buckets_[i];
    if (size() >= max_states_)
      throw TooLarge("The number of states of one constraint's automaton", size(), max_states_);
    if (data_.size() + positions.size() > kMaxAutomatonCells)
      throw TooLarge("The memory of one constraint's automaton in cells", data_.size(), kMaxAutomatonCells);
    const uint32_t made = size();
    buckets_[i] = made;
    meter_.make_room(data_, positions.size());
    data_.insert(data_.end(), positions.begin(), positions.end());
    meter_.push(begin_, static_cast<uint32_t>(data_.size()));
    return made;
  }
  std::span<const uint32_t> members(uint32_t number) const {
    return {data_.data() + begin_[number], begin_[number + 1] - begin_[number]};
  }
  uint32_t size() const { return static_cast<uint32_t>(begin_.size()) - 1; }

 private:
  static uint64_t hash(std::span<const uint32_t> positions) {
    uint64_t h = positions.size();
    for (uint32_t p : positions) h = (h ^ p) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    return h;
  }
  void widen() {
    meter_.take(2 * buckets_.size() * sizeof(uint32_t));
    std::vector<uint32_t> wider(buckets_.size() * 2, 0);
    for (uint32_t s = 1; s < size(); ++s) {
      size_t i = hash(members(s)) & (wider.size() - 1);
      while (wider[i] != 0) i = (i + 1) & (wider.size() - 1);
      wider[i] = s;
    }
    meter_.give_back(buckets_.size() * sizeof(uint32_t));
    buckets_.swap(wider);
  }

  uint64_t max_states_;
  MemoryMeter meter_;
  std::vector<uint32_t> data_;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> buckets_;  // 0: free
};

}  // namespace controldag
