#include "controldag/flat_map.h"

#include <algorithm>

namespace controldag {
FlatMap::FlatMap(size_t capacity) {
  size_t size = 16;
  while (size < 2 * capacity) size *= 2;
  keys_.assign(size, kEmpty);
  values_.resize(size);
  mask_ = size - 1;
}

void FlatMap::clear() {
  // After one large use, do not sweep a large table for every small one.
  if (keys_.size() > 4096 && 16 * size_ < keys_.size()) {
    *this = FlatMap(1024);
    return;
  }
  std::fill(keys_.begin(), keys_.end(), kEmpty);
  size_ = 0;
}

void FlatMap::grow() {
  std::vector<uint64_t> keys(keys_.size() * 2, kEmpty);
  std::vector<uint32_t> values(keys.size());
  const size_t mask = keys.size() - 1;
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] == kEmpty) continue;
    size_t j = mix(keys_[i]) & mask;
    while (keys[j] != kEmpty) j = (j + 1) & mask;
    keys[j] = keys_[i];
    values[j] = values_[i];
  }
  keys_.swap(keys);
  values_.swap(values);
  mask_ = mask;
}

}  // namespace controldag
