// Memory that is counted before it is taken: tables of a search that grow until a limit, and never past it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controldag/error.h"
#include "controldag/flat_map.h"

namespace controldag {

class MemoryMeter {
 public:
  explicit MemoryMeter(uint64_t limit) : limit_(limit) {}
  void take(uint64_t bytes) {
    used_ += bytes;
    if (used_ > limit_) throw TooLarge("The memory of the search in bytes", used_, limit_);
  }
  void give_back(uint64_t bytes) { used_ -= std::min(used_, bytes); }
  uint64_t used() const { return used_; }
  uint64_t limit() const { return limit_; }

  // As push_back. While a vector moves to a larger place it stands in both.
  template <typename T>
  void push(std::vector<T>& items, const T& item) {
    if (items.size() == items.capacity()) {
      const size_t before = items.capacity(), after = std::max<size_t>(64, before + before / 2);
      take(after * sizeof(T));
      items.reserve(after);
      give_back(before * sizeof(T));
    }
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
  uint64_t limit_, used_ = 0;
};

}  // namespace controldag
