// Caps that keep any input within bounded time and memory.
#pragma once

#include <cstdint>

namespace controldag {

struct Limits {
  // Product states (vertex × automaton state) one search may create.
  uint64_t max_states = 4'000'000;
  // Bytes of search tables (costs, back pointers) one search may hold.
  uint64_t max_bytes = uint64_t{1} << 31;
};

// Hard sizes of one lattice and one constraint, far above any model's.
inline constexpr int64_t kMaxVertices = 1 << 16;
inline constexpr int64_t kMaxEmissionsPerVertex = 1 << 16;
inline constexpr int64_t kMaxPhraseBytes = 1 << 14;
inline constexpr int64_t kMaxNfaStates = 1 << 18;
inline constexpr int64_t kMaxMachines = 64;
inline constexpr int64_t kMaxBeam = 1 << 12;
// Numbers (32 MiB) one constraint's automaton may hold for its state sets, and as many for its steps: a thousand times
// what phrases, word lists and sensible patterns need, and small enough that an exploding one stops in seconds.
inline constexpr uint64_t kMaxAutomatonCells = uint64_t{1} << 23;
// Numbers (256 MiB) that the joint states of all constraints may hold.
inline constexpr uint64_t kMaxProductCells = uint64_t{1} << 26;

}  // namespace controldag
