// Where words of a text agree with words of claims, as src/controldag/verifier/agreement.py has it.
#pragma once

#include <cstdint>
#include <vector>

#include "controldag/verifier.h"

namespace controldag {

constexpr int32_t kFields = 6, kRelations = 8, kMatches = 4;

// One text beside all claims.
struct Agreement {
  std::vector<uint8_t> matches;    // [words, words of claims]
  std::vector<uint8_t> relations;  // [claims + 1, words]: of each claim, and last of the text as a whole
};

// `words`, `values`: of one text.
Agreement agreement(const WordRows& table, const ClaimWords& claims, std::span<const int32_t> words,
                    std::span<const int32_t> values);

}  // namespace controldag
