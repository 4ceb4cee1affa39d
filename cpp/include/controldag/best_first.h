// Best-first search of the product for the least cost minus a reward per token.
#pragma once

#include <optional>

#include "controldag/search_space.h"

namespace controldag {

// The text of least cost - reward * tokens that satisfies the hard constraints, whatever its length (A*, with the
// lexical bound as its consistent estimate of what remains). Its `objective` is not set.
// With `gave_up` it may say there that a better bound would pay, and find nothing.
std::optional<Path> best_first(SearchSpace& space, const LexicalBound& bound, float reward, SearchStats& stats,
                               bool* gave_up = nullptr);

}  // namespace controldag
