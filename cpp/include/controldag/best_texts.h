// The best texts by objective: best-first over prefixes.
#pragma once

#include <optional>
#include <vector>

#include "controldag/exact_bounds.h"

namespace controldag {

struct TextsWanted {
  size_t texts;
  uint64_t patience = UINT64_MAX;  // prefixes to take up before giving up, where that is allowed
};

// Up to so many distinct texts of least objective, best first; `known`: one text with its objective, among them or not.
// With `gave_up` it may say there that it is taking long; what it gives then are texts, but not the best.
std::vector<Path> best_texts(SearchSpace& space, const ExactBounds& bounds, const TextsWanted& wanted,
                             std::optional<Path> known, SearchStats& stats, bool* gave_up = nullptr);

}  // namespace controldag
