// What the binding files share: arrays in, results out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "controldag/error.h"
#include "controldag/search.h"
#include "controldag/token_level.h"

namespace controldag {

template <typename T>
using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

template <typename T>
using Table = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

// N-grams, a row each, with their weights.
inline std::vector<std::pair<TokenSequence, float>> to_ngrams(
    const std::vector<std::pair<Table<int64_t>, Array<float>>>& tables) {
  std::vector<std::pair<TokenSequence, float>> ngrams;
  for (const auto& [rows, weights] : tables) {
    if (rows.shape(0) != weights.shape(0))
      throw InvalidArgument("n-grams", "have a weight each", std::to_string(weights.shape(0)) + " weights");
    const int64_t* tokens = rows.data();
    for (size_t row = 0; row < rows.shape(0); ++row, tokens += rows.shape(1))
      ngrams.emplace_back(TokenSequence{tokens, tokens + rows.shape(1)}, weights.data()[row]);
  }
  return ngrams;
}

// A path as plain values.
struct Found {
  std::vector<int64_t> tokens;
  std::vector<int32_t> vertices;
  std::string text;
  double cost, objective, penalty, ngrams;
};

inline Found to_found(const Lattice& lattice, const Path& path) {
  Found found{{}, path.vertices, path_text(lattice, path), path.cost, path.objective, path.penalty, path.ngrams};
  for (int32_t e : path.emissions) found.tokens.push_back(lattice.token_id[lattice.emit_token[e]]);
  return found;
}

void bind_classic(nanobind::module_& m);
void bind_verifier(nanobind::module_& m);

}  // namespace controldag
