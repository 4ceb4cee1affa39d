#include "controldag/product.h"

#include <algorithm>

#include "controldag/error.h"
#include "controldag/limits.h"

namespace controldag {
namespace {

uint64_t hash_tuple(const uint32_t* tuple, size_t width) {
  uint64_t h = 0x243F6A8885A308D3ull;
  for (size_t i = 0; i < width; ++i) h = (h ^ tuple[i]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  return h;
}

// Step tables that earlier searches of this thread left: fresh pages cost more than the steps they hold.
thread_local std::vector<std::vector<uint32_t>> spare_tables;

}  // namespace

Product::Product(const std::vector<std::unique_ptr<Machine>>& machines, size_t tokens, const Limits& limits, bool dense,
                 std::vector<uint8_t> decisive)
    : machines_(machines), max_states_(std::min<uint64_t>(limits.max_states, kMaxProductStates)), meter_(limits), width_(machines.size()), tokens_(tokens), use_dense_(dense),
      scratch_(machines.size()), decisive_(std::move(decisive)), buckets_(64, UINT32_MAX) {
  decisive_.resize(machines.size(), 0);
  if (!spare_tables.empty()) {
    dense_ = std::move(spare_tables.back());
    spare_tables.pop_back();
  }
  // The start is not entered in the hash table: no step leads back to it.
  for (const auto& machine : machines_) tuples_.push_back(machine->start());
  count_ = 1;
  add_row();
}

Product::~Product() {
  if (spare_tables.size() >= 4 || dense_.capacity() > (size_t{1} << 20)) return;
  dense_.clear();
  spare_tables.push_back(std::move(dense_));
}

void Product::add_row() {
  if (!use_dense_ || dense_states_ + 1 != count_ || dense_.size() + tokens_ > kDenseEntries) return;
  meter_.make_room(dense_, dense_room_, tokens_);
  dense_.resize(dense_.size() + tokens_, kUnknown);
  ++dense_states_;
}

uint32_t Product::compute(uint32_t state, uint32_t token) {
  bool lost = false;
  for (size_t i = 0; i < width_; ++i) {
    scratch_[i] = lost ? 0 : machines_[i]->step(tuples_[size_t{state} * width_ + i], token, state == 0);
    lost = lost || (decisive_[i] && machines_[i]->verdict(scratch_[i]) == Verdict::kDead);
  }
  if (2 * (count_ + 1) > buckets_.size()) {
    meter_.take(2 * buckets_.size() * sizeof(uint32_t));
    std::vector<uint32_t> wider(buckets_.size() * 2, UINT32_MAX);
    for (uint32_t s = 1; s < count_; ++s) {
      size_t i = hash_tuple(parts(s), width_) & (wider.size() - 1);
      while (wider[i] != UINT32_MAX) i = (i + 1) & (wider.size() - 1);
      wider[i] = s;
    }
    meter_.give_back(buckets_.size() * sizeof(uint32_t));
    buckets_.swap(wider);
  }
  size_t i = hash_tuple(scratch_.data(), width_) & (buckets_.size() - 1);
  for (; buckets_[i] != UINT32_MAX; i = (i + 1) & (buckets_.size() - 1))
    if (std::equal(scratch_.begin(), scratch_.end(), parts(buckets_[i]))) return buckets_[i];
  if (count_ >= max_states_) throw TooLarge("The number of product states of the constraints", count_, max_states_);
  meter_.make_room(tuples_, width_);
  buckets_[i] = count_;
  tuples_.insert(tuples_.end(), scratch_.begin(), scratch_.end());
  ++count_;
  add_row();
  return count_ - 1;
}

uint32_t Product::find(const uint32_t* tuple) const {
  size_t i = hash_tuple(tuple, width_) & (buckets_.size() - 1);
  while (!std::equal(tuple, tuple + width_, parts(buckets_[i]))) i = (i + 1) & (buckets_.size() - 1);
  return buckets_[i];
}

}  // namespace controldag
