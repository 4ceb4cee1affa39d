// The pruned DAG in factored (Moore) form: tokens at vertices, transitions between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace controldag {

// Vertex 0 emits <s> and the last vertex </s>: neither has emissions here. Costs are negative log-probabilities.
// Precondition of every search: `check()` passed once, when the lattice was made.
struct Lattice {
  std::vector<int32_t> emit_begin;  // vertices + 1
  std::vector<int32_t> emit_token;  // index into token_id / surface
  std::vector<float> emit_cost;
  std::vector<int32_t> arc_begin;  // vertices + 1
  std::vector<int32_t> arc_to;
  std::vector<float> arc_cost;
  std::vector<int64_t> token_id;     // the model's id of each token used here
  std::vector<std::string> surface;  // its bytes, a leading blank included

  int32_t vertices() const { return static_cast<int32_t>(emit_begin.size()) - 1; }
  int32_t last() const { return vertices() - 1; }

  // Throws InvalidArgument unless arcs go forward, costs are finite and non-negative, indices are in range,
  // and the last vertex can be reached.
  void check() const;
};

}  // namespace controldag
