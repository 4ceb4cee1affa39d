// The best texts by objective: best-first over prefixes.
#pragma once

#include <optional>
#include <vector>

#include "controldag/exact_bounds.h"
#include "controldag/length_bound.h"

namespace controldag {

struct TextsWanted {
  size_t texts;
  uint64_t patience = UINT64_MAX;  // prefixes to take up before giving up, where that is allowed
  const LengthBound* by_length = nullptr;  // instead of the bound for one reward; null: none
};

// Up to so many distinct texts of least objective, best first; `known`: texts with their objectives, among them or not.
// With `gave_up` it may say there that it is taking long; what it gives then are texts, but not the best.
std::vector<Path> best_texts(SearchSpace& space, const ExactBounds& bounds, const TextsWanted& wanted,
                             std::vector<Path> known, SearchStats& stats, bool* gave_up = nullptr);

// The same where lengths are weighed, by a bound that knows lengths; nothing where lengths are not weighed, that bound
// would be too large, or another way to a single text is shorter. `known`: one text, and the lines of `bounds` hold.
std::optional<std::vector<Path>> texts_by_length(SearchSpace& space, ExactBounds& bounds, size_t n,
                                                 std::optional<Path> known, SearchStats& stats);

}  // namespace controldag
