// From a model's log-probabilities to a lattice (Control-DAG Algorithm 1).
#pragma once

#include <memory>
#include <span>

#include "controldag/lattice.h"

namespace controldag {

// By token id: its bytes; empty for tokens that have none and so never enter a lattice.
struct SurfaceTable {
  std::vector<std::string> bytes;
};

struct DagView {
  int64_t vertices;
  std::span<const int64_t> tokens;  // vertices × candidates
  std::span<const float> log_emissions;
  std::span<const int64_t> kept;  // tokens that join every vertex
  std::span<const float> log_kept;  // vertices × kept
  std::span<const float> log_transitions;  // vertices × vertices
};

// Every candidate and kept token with a finite log-probability; of each vertex's arcs the `max_arcs` likeliest, and
// those to the next and to the last vertex. Ties go to the lower index, so that the result does not vary.
Lattice prune(const DagView& dag, int64_t max_arcs, const SurfaceTable& surfaces);

}  // namespace controldag
