// Hashes that tell texts apart: 61 bits, so that no two of some billions are likely to be taken for one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controldag/lattice.h"

namespace controldag {

// Polynomial hashes of texts modulo the Mersenne prime 2^61 - 1: the hash of a longer text follows from the shorter's.
inline constexpr uint64_t kHashPrime = (uint64_t{1} << 61) - 1;
inline constexpr uint64_t kHashBase = 1'000'003'918'273'645'129ull % kHashPrime;

inline uint64_t multiply_hash(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  const uint64_t sum = static_cast<uint64_t>(product & kHashPrime) + static_cast<uint64_t>(product >> 61);
  return sum >= kHashPrime ? sum - kHashPrime : sum;
}

struct TextHash {
  uint64_t value = 0, power = 1;
};

inline TextHash hash_of(const std::string& bytes, size_t from) {
  TextHash hash;
  for (size_t i = from; i < bytes.size(); ++i) {
    hash.value = (multiply_hash(hash.value, kHashBase) + static_cast<uint8_t>(bytes[i]) + 1) % kHashPrime;
    hash.power = multiply_hash(hash.power, kHashBase);
  }
  return hash;
}

inline uint64_t extend(uint64_t text, const TextHash& token) {
  return (multiply_hash(text, token.power) + token.value) % kHashPrime;
}

// The hashes of a lattice's tokens, as they stand in a text and as they open one: without a leading blank.
struct TokenHashes {
  explicit TokenHashes(const Lattice& lattice) {
    for (const std::string& surface : lattice.surface) {
      inside.push_back(hash_of(surface, 0));
      first.push_back(hash_of(surface, surface[0] == ' ' ? 1 : 0));
    }
  }
  uint64_t longer(uint64_t text, bool begins, uint32_t token) const {
    return extend(text, begins ? first[token] : inside[token]);
  }
  std::vector<TextHash> inside, first;
};

}  // namespace controldag
