// Memory that is counted before it is taken: tables of a search that grow until a limit, and never past it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "controldag/flat_map.h"
#include "controldag/limits.h"

namespace controldag {

// Counts for one part of a search against what all its parts may hold together; gives back what it counted.
class MemoryMeter {
 public:
  static constexpr size_t kMapped = 4 * 16;  // bytes of an entry of a FlatMap, at most
  explicit MemoryMeter(const Limits& limits) : limits_(&limits) {}
  ~MemoryMeter() { limits_->give_back(used_); }
  MemoryMeter(MemoryMeter&& other) noexcept : limits_(other.limits_), used_(std::exchange(other.used_, 0)) {}
  MemoryMeter& operator=(MemoryMeter&&) = delete;

  void take(uint64_t bytes) {
    limits_->take(bytes);
    used_ += bytes;
  }
  void give_back(uint64_t bytes) {
    bytes = std::min(used_, bytes);
    limits_->give_back(bytes);
    used_ -= bytes;
  }
  uint64_t used() const { return used_; }
  uint64_t limit() const { return limits_->max_bytes; }
  const Limits& limits() const { return *limits_; }

  // Room for `count` more. While a vector moves to a larger place it stands in both.
  template <typename T>
  void make_room(std::vector<T>& items, size_t count) {
    const size_t before = items.capacity();
    if (items.size() + count <= before) return;
    const size_t after = std::max<size_t>({64, before + before / 2, items.size() + count});
    take(after * sizeof(T));
    items.reserve(after);
    give_back(before * sizeof(T));
  }
  // The same for a vector with memory of an earlier search: `room` stands for its capacity, as if it had begun with
  // none, so that what passes a limit does not depend on what came before. `beside`: bytes that go with each item.
  template <typename T>
  void make_room(std::vector<T>& items, size_t& room, size_t count, size_t beside = 0) {
    if (items.size() + count <= room) return;
    const size_t before = room, after = std::max<size_t>({64, before + before / 2, items.size() + count});
    take(after * (sizeof(T) + beside));
    items.reserve(room = after);
    give_back(before * (sizeof(T) + beside));
  }
  // As push_back.
  template <typename T>
  void push(std::vector<T>& items, const T& item) {
    make_room(items, 1);
    items.push_back(item);
  }
  template <typename T>
  void push(std::vector<T>& items, size_t& room, const T& item, size_t beside = 0) {
    make_room(items, room, 1, beside);
    items.push_back(item);
  }
  // As the table's `at`.
  template <typename Value>
  Value& at(FlatTable<Value>& table, uint64_t key, Value fresh, bool& added) {
    if (!table.full()) return table.at(key, fresh, added);
    const uint64_t before = table.bytes();
    take(2 * before);
    Value& found = table.at(key, fresh, added);
    give_back(3 * before - table.bytes());  // the old table, or all that was taken where it did not grow
    return found;
  }

 private:
  const Limits* limits_;
  uint64_t used_ = 0;
};

}  // namespace controldag
