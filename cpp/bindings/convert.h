// What the binding files share: arrays in, results out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "controldag/search.h"

namespace controldag {

template <typename T>
using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
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

}  // namespace controldag
