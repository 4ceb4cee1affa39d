#include "controldag/product.h"

#include <algorithm>

#include "controldag/error.h"

namespace controldag {
namespace {

constexpr uint64_t kEmpty = ~uint64_t{0};

uint64_t hash_tuple(const uint32_t* tuple, size_t width) {
  uint64_t h = 0x243F6A8885A308D3ull;
  for (size_t i = 0; i < width; ++i) h = (h ^ tuple[i]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  return h;
}

}  // namespace

FlatMap::FlatMap(size_t capacity) {
  size_t size = 16;
  while (size < 2 * capacity) size *= 2;
  keys_.assign(size, kEmpty);
  values_.resize(size);
  mask_ = size - 1;
}

uint32_t& FlatMap::at(uint64_t key, uint32_t fresh, bool& added) {
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

const uint32_t* FlatMap::find(uint64_t key) const {
  for (size_t i = mix(key) & mask_; keys_[i] != kEmpty; i = (i + 1) & mask_)
    if (keys_[i] == key) return &values_[i];
  return nullptr;
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

Product::Product(const std::vector<std::unique_ptr<Machine>>& machines, size_t tokens, uint64_t max_states,
                 bool dense)
    : machines_(machines), max_states_(max_states), width_(machines.size()), tokens_(tokens), use_dense_(dense),
      scratch_(machines.size()), buckets_(64, UINT32_MAX) {
  // The start is not entered in the hash table: no step leads back to it.
  for (const auto& machine : machines_) tuples_.push_back(machine->start());
  count_ = 1;
  add_row();
}

void Product::add_row() {
  if (!use_dense_ || dense_states_ + 1 != count_ || dense_.size() + tokens_ > kDenseEntries) return;
  dense_.resize(dense_.size() + tokens_, kUnknown);
  ++dense_states_;
}

uint32_t Product::compute(uint32_t state, uint32_t token) {
  for (size_t i = 0; i < width_; ++i)
    scratch_[i] = machines_[i]->step(tuples_[size_t{state} * width_ + i], token, state == 0);
  if (2 * (count_ + 1) > buckets_.size()) {
    std::vector<uint32_t> wider(buckets_.size() * 2, UINT32_MAX);
    for (uint32_t s = 1; s < count_; ++s) {
      size_t i = hash_tuple(parts(s), width_) & (wider.size() - 1);
      while (wider[i] != UINT32_MAX) i = (i + 1) & (wider.size() - 1);
      wider[i] = s;
    }
    buckets_.swap(wider);
  }
  size_t i = hash_tuple(scratch_.data(), width_) & (buckets_.size() - 1);
  for (; buckets_[i] != UINT32_MAX; i = (i + 1) & (buckets_.size() - 1))
    if (std::equal(scratch_.begin(), scratch_.end(), parts(buckets_[i]))) return buckets_[i];
  if (count_ >= max_states_) throw TooLarge("The number of product states of the constraints", count_, max_states_);
  buckets_[i] = count_;
  tuples_.insert(tuples_.end(), scratch_.begin(), scratch_.end());
  ++count_;
  add_row();
  return count_ - 1;
}

}  // namespace controldag
