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

// Log-probabilities come from half-precision models: rows may sum to one only this closely.
inline constexpr float kNormalisationTolerance = 0.05f;

struct RowRule {
  int64_t first, end;  // which rows count
  bool whole;          // their probabilities sum to one, else to at most one
  bool forward;        // nothing on or below the diagonal
};

// Throws InvalidArgument unless every row holds log-probabilities as the rule says.
void check_rows(const std::string& name, std::span<const float> values, int64_t columns, const RowRule& rule);

}  // namespace controldag
