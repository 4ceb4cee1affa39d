// A small, fast hash map.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace controldag {

// An open-addressing map from 64-bit keys to small values; the key ~0 is never used.
template <typename Value>
class FlatTable {
 public:
  explicit FlatTable(size_t capacity = 64) {
    size_t size = 16;
    while (size < 2 * capacity) size *= 2;
    slots_.assign(size, {kEmpty, {}});
    mask_ = size - 1;
  }
  // The value slot of `key`; `added` says whether it is new (and holds `fresh`).
  Value& at(uint64_t key, Value fresh, bool& added) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    size_t i = mix(key) & mask_;
    while (slots_[i].key != kEmpty) {
      if (slots_[i].key == key) {
        added = false;
        return slots_[i].value;
      }
      i = (i + 1) & mask_;
    }
    slots_[i] = {key, fresh};
    ++size_;
    added = true;
    return slots_[i].value;
  }
  const Value* find(uint64_t key) const {
    for (size_t i = mix(key) & mask_; slots_[i].key != kEmpty; i = (i + 1) & mask_)
      if (slots_[i].key == key) return &slots_[i].value;
    return nullptr;
  }
  void clear() {
    // After one large use, do not sweep a large table for every small one.
    if (slots_.size() > 4096 && 16 * size_ < slots_.size()) {
      *this = FlatTable(1024);
      return;
    }
    std::fill(slots_.begin(), slots_.end(), Slot{kEmpty, {}});
    size_ = 0;
  }
  size_t size() const { return size_; }
  // Whether the next new key makes it twice as large.
  bool full() const { return 2 * (size_ + 1) > slots_.size(); }
  uint64_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {  // side by side: a look into the map is one into memory
    uint64_t key;
    Value value;
  };
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  static uint64_t mix(uint64_t key) {
    key *= 0x9E3779B97F4A7C15ull;
    return key ^ (key >> 32);
  }
  void grow() {
    std::vector<Slot> wider(slots_.size() * 2, Slot{kEmpty, {}});
    const size_t mask = wider.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.key == kEmpty) continue;
      size_t i = mix(slot.key) & mask;
      while (wider[i].key != kEmpty) i = (i + 1) & mask;
      wider[i] = slot;
    }
    slots_.swap(wider);
    mask_ = mask;
  }
  std::vector<Slot> slots_;
  size_t size_ = 0, mask_ = 0;
};

using FlatMap = FlatTable<uint32_t>;

}  // namespace controldag
