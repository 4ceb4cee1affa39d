// Caps that keep any input within bounded time and memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <thread>

#include <time.h>

#include "controldag/error.h"

namespace controldag {

// Asks now and then whether the search is still wanted: the thread that waits for it asks, all others hear of it.
struct Interrupt {
  std::function<bool()> asked;  // whether it is wanted no longer
  std::thread::id owner = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now() + kBetweenAsking;
  std::atomic<bool> stopped{false};

  static constexpr std::chrono::milliseconds kBetweenAsking{50};

  void check(std::chrono::steady_clock::time_point now) {
    if (!stopped && owner == std::this_thread::get_id() && now >= next) {
      next = now + kBetweenAsking;
      if (asked()) stopped = true;
    }
    if (stopped) throw Interrupted();
  }
};

// What one search may take, and what its parts hold together: a search works on a copy of its own.
struct Limits {
  // Product states (vertex × automaton state) one search may create.
  uint64_t max_states = 500'000;
  // Bytes of tables that one search may hold, those of its bound and automata among them.
  uint64_t max_bytes = uint64_t{448} << 20;
  // After so many states a search under n-gram weights stops to make a better bound, which takes about as long.
  uint64_t sharpen_after = 30'000;
  // Joint states of lexical machines that one closure may have; no result depends on it.
  uint64_t closure_states = 1 << 14;
  // Seconds of its thread's processor that one search may take, once it was started.
  double max_seconds = std::numeric_limits<double>::infinity();
  // When a search gives up, and how long it then had; never, unless set.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  double seconds = 0;
  Interrupt* interrupt = nullptr;  // must outlive the search

  // No later than `until` as it is.
  void expire_in(double allowed) {
    if (!(allowed < kForEver)) return;
    const auto then = std::chrono::steady_clock::now() + duration(allowed);
    if (then >= until) return;
    until = then;
    seconds = allowed;
  }
  // A search begins, in this thread.
  void start() {
    if (!(max_seconds < kForEver)) return;
    begun_ = thread_seconds();
    look_ = std::chrono::steady_clock::now() + duration(max_seconds);
  }
  // Asks the clock, which costs as much as some steps of a search: not at every one of them.
  void check_time() const {
    using Time = std::chrono::steady_clock::time_point;
    if (until == Time::max() && look_ == Time::max() && !interrupt) return;
    const auto now = std::chrono::steady_clock::now();
    if (now > until) throw TooLate(seconds);
    if (now > look_) {
      // A thread has spent no more than has passed: until it can have spent the rest, it need not be asked again.
      const double left = max_seconds - (thread_seconds() - begun_);
      if (left <= 0) throw TooLate(max_seconds);
      look_ = now + duration(left);
    }
    if (interrupt) interrupt->check(now);
  }
  // Counts steps of a few nanoseconds each, and looks at the clock once there are many: well under a millisecond of them.
  void spend(uint64_t steps) const {
    if ((steps_ += steps) < kBetweenLooks) return;
    steps_ = 0;
    check_time();
  }
  // Counts what is about to be allocated. See MemoryMeter, which gives it back.
  void take(uint64_t bytes) const {
    if (held_ + bytes > max_bytes) throw TooLarge("The memory of the search in bytes", held_ + bytes, max_bytes);
    held_ += bytes;
  }
  void give_back(uint64_t bytes) const { held_ -= bytes; }
  uint64_t held() const { return held_; }

 private:
  static constexpr uint64_t kBetweenLooks = uint64_t{1} << 17;
  static constexpr double kForEver = 3e7;  // a year and more is for ever; so no sum of times can overflow
  static std::chrono::steady_clock::duration duration(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
  static double thread_seconds() {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
  }

  mutable uint64_t held_ = 0, steps_ = 0;
  double begun_ = 0;
  mutable std::chrono::steady_clock::time_point look_ = std::chrono::steady_clock::time_point::max();
};

// Hard sizes of one lattice and one constraint, far above any model's.
inline constexpr int64_t kMaxVertices = 1 << 16;
inline constexpr int64_t kMaxEmissionsPerVertex = 1 << 16;
inline constexpr int64_t kMaxPhraseBytes = 1 << 14;
inline constexpr int64_t kMaxNfaStates = 1 << 18;
inline constexpr int64_t kMaxMachines = 64;
// Leaves of one constraint, each counted as often as it stands there, and how deep `&`, `|`, `~` and soft() may nest.
inline constexpr uint64_t kMaxLeaves = 1 << 16;
inline constexpr uint32_t kMaxNesting = 100;
// Tokens of a phrase over tokens or of a dictionary's word, and of an n-gram with a weight.
inline constexpr size_t kMaxPhraseTokens = 1 << 14;
inline constexpr size_t kMaxNgramTokens = 64;
// The most that one violated soft constraint may cost: what paths cost is told apart beside 64 of them, in double
// precision, to five places.
inline constexpr double kMaxPenalty = 1e9;
inline constexpr int64_t kMaxBeam = 1 << 12;
// Numbers (8 MiB) one constraint's automaton may hold for its state sets, and as many for its steps: hundreds of times
// what phrases, word lists and sensible patterns need, and small enough that an exploding one stops in seconds.
inline constexpr uint64_t kMaxAutomatonCells = uint64_t{1} << 21;
// Joint states of a group of automata: they must fit into 24 bits (see product_key).
inline constexpr uint64_t kMaxProductStates = uint64_t{1} << 24;

}  // namespace controldag
