// The lazy product of machines, and the map beneath it.
#include <memory>

#include "check.h"
#include "controldag/error.h"
#include "controldag/flat_map.h"
#include "controldag/product.h"

using namespace controldag;

namespace {

// Counts tokens modulo `size`; token t adds t.
class Counter final : public Machine {
 public:
  explicit Counter(uint32_t size) : size_(size) {}
  uint32_t start() override { return 0; }
  uint32_t step(uint32_t state, uint32_t token, bool first) override { return (state + token + (first ? 1 : 0)) % size_; }
  bool accepts(uint32_t state) override { return state == 0; }
  Verdict verdict(uint32_t) override { return Verdict::kOpen; }

 private:
  uint32_t size_;
};

std::vector<std::unique_ptr<Machine>> counters(std::vector<uint32_t> sizes) {
  std::vector<std::unique_ptr<Machine>> machines;
  for (uint32_t size : sizes) machines.push_back(std::make_unique<Counter>(size));
  return machines;
}

void walks_all_machines_at_once(bool dense) {
  const auto machines = counters({3, 5, 7});
  const Limits limits;
  Product product(machines, 4, limits, dense);
  uint32_t state = 0, sum = 1;  // the first step adds one
  for (uint32_t i = 0; i < 500; ++i) {
    const uint32_t token = i * i % 4;
    state = product.step(state, token);
    sum += token;
    CHECK(state != 0);
    CHECK(product.parts(state)[0] == sum % 3 && product.parts(state)[1] == sum % 5 && product.parts(state)[2] == sum % 7);
  }
  CHECK(product.states() <= 3 * 5 * 7 + 1);
  CHECK(product.width() == 3);
}

void is_limited() {
  const auto machines = counters({101});
  Limits limits;
  limits.max_states = 10;
  Product product(machines, 2, limits, true);
  const auto walk = [&] {
    uint32_t state = 0;
    for (int i = 0; i < 50; ++i) state = product.step(state, 1);
  };
  CHECK_THROWS(walk(), TooLarge);
}

void works_without_machines() {
  const std::vector<std::unique_ptr<Machine>> none;
  const Limits limits;
  Product product(none, 3, limits, true);
  const uint32_t after = product.step(0, 2);
  CHECK(after != 0 && product.step(after, 1) == after);
}

void flat_map_keeps_its_keys() {
  FlatMap map(2);
  for (uint64_t key = 0; key < 10'000; ++key) {
    bool added = false;
    map.at(key * 0x100000001ull, static_cast<uint32_t>(key), added);
    CHECK(added);
  }
  for (uint64_t key = 0; key < 10'000; ++key) {
    const uint32_t* found = map.find(key * 0x100000001ull);
    CHECK(found != nullptr && *found == key);
  }
  CHECK(map.size() == 10'000 && map.find(12345) == nullptr);
  map.clear();
  CHECK(map.size() == 0 && map.find(0) == nullptr);
}

void meters_count_together() {
  Limits limits;
  limits.max_bytes = 10'000;
  MemoryMeter one(limits);
  one.take(6'000);
  {
    MemoryMeter other(limits);
    other.take(4'000);
    CHECK_THROWS(other.take(1), TooLarge);
    CHECK(limits.held() == 10'000);
  }
  CHECK(limits.held() == 6'000);  // what the other had counted is given back with it
}

// How many items fit does not depend on what memory the vector has from before.
void memory_of_an_earlier_search_is_counted_as_fresh() {
  size_t fit[2] = {0, 0};
  for (const bool used : {false, true}) {
    Limits limits;
    limits.max_bytes = 10'000;
    MemoryMeter meter(limits);
    std::vector<uint64_t> items;
    if (used) items.reserve(5'000);
    size_t room = 0;
    const auto fill = [&] {
      for (;;) meter.push(items, room, uint64_t{1}), ++fit[used];
    };
    CHECK_THROWS((fill(), 0), TooLarge);
  }
  CHECK(fit[0] == fit[1] && fit[0] > 100 && fit[0] < 10'000 / sizeof(uint64_t));
}

}  // namespace

int main() {
  walks_all_machines_at_once(true);
  walks_all_machines_at_once(false);
  is_limited();
  works_without_machines();
  flat_map_keeps_its_keys();
  meters_count_together();
  memory_of_an_earlier_search_is_counted_as_fresh();
}
