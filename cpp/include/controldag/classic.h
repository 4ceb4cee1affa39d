// The decoders of the literature, for comparison and for the paper's preset. None of them returns an empty text;
// none falls back on another: a search that finds nothing returns nothing.
#pragma once

#include <optional>

#include "controldag/search.h"

namespace controldag {

// At every vertex the likeliest successor, and there the likeliest token (Huang et al. 2022).
std::optional<Path> search_greedy(const Lattice& lattice);

// At every vertex the successor and token that are likeliest together (Huang et al. 2022).
std::optional<Path> search_lookahead(const Lattice& lattice);

// The vertex path of least transition cost, times its length weight, with the likeliest token at each vertex (Shao et
// al. 2022, without "joint"). `objective` is that of the transitions alone; `cost` is the path's whole cost.
std::optional<Path> search_viterbi(const Lattice& lattice, const LengthWeights& lengths, const Limits& limits);

// Beam search over vertices and tokens, one token a step. With phrases: dynamic beam allocation. Candidates are the
// `size` best continuations of every hypothesis and those that begin or go on with a phrase; they stand in banks by
// how many phrase tokens are unmet, the best of each bank stays, and then the best of the rest up to `size`, or to one
// more than there are banks. Only hypotheses that hold every phrase may end.
std::optional<Path> search_beam(const Lattice& lattice, const std::vector<TokenSequence>& phrases, int32_t size,
                                const LengthWeights& lengths, const Limits& limits);

struct DfsOptions {
  double share = 0.7;         // successors are kept, best first, until they hold this share of the probability,
  int32_t successors = 3;     // but no more of them than this
  int32_t longest = 0;        // once an end was seen, paths are cut at this length (tokens + 1)
};

// The paper's pruned depth-first search over the composition of lattice and constraints, as released: suffixes are
// remembered by state alone, even those that the length cut off.
std::optional<Path> search_dfs_viterbi(const SearchInput& input, const DfsOptions& options);

}  // namespace controldag
