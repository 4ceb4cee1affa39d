// A small, fast hash map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace controldag {

// An open-addressing map from 64-bit keys to 32-bit values; the key ~0 is never used.
class FlatMap {
 public:
  explicit FlatMap(size_t capacity = 64);
  // The value slot of `key`; `added` says whether it is new (and holds `fresh`).
  uint32_t& at(uint64_t key, uint32_t fresh, bool& added) {
    if (2 * (size_ + 1) > keys_.size()) grow();
    size_t i = mix(key) & mask_;
    while (keys_[i] != kEmpty) {
      if (keys_[i] == key) {
        added = false;
        return values_[i];
      }
      i = (i + 1) & mask_;
    }
    keys_[i] = key;
    values_[i] = fresh;
    ++size_;
    added = true;
    return values_[i];
  }
  const uint32_t* find(uint64_t key) const {
    for (size_t i = mix(key) & mask_; keys_[i] != kEmpty; i = (i + 1) & mask_)
      if (keys_[i] == key) return &values_[i];
    return nullptr;
  }
  void clear();
  size_t size() const { return size_; }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  static uint64_t mix(uint64_t key) {
    key *= 0x9E3779B97F4A7C15ull;
    return key ^ (key >> 32);
  }
  void grow();
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> values_;
  size_t size_ = 0, mask_ = 0;
};

}  // namespace controldag
