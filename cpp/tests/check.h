// What the C++ unit tests share: a check that also works in release builds, and hand-made lattices.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "controldag/lattice.h"

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (false)

#define CHECK_THROWS(expression, type)                                                            \
  do {                                                                                            \
    bool thrown = false;                                                                          \
    try {                                                                                         \
      (void)(expression);                                                                         \
    } catch (const type&) {                                                                       \
      thrown = true;                                                                              \
    }                                                                                             \
    if (!thrown) {                                                                                \
      std::fprintf(stderr, "%s:%d: does not throw " #type ": %s\n", __FILE__, __LINE__, #expression); \
      std::exit(1);                                                                               \
    }                                                                                             \
  } while (false)

namespace controldag::testing {

// A chain of vertices, one token each: a lattice that holds one text only.
inline Lattice chain(const std::vector<std::string>& surfaces) {
  Lattice lattice;
  lattice.emit_begin = lattice.arc_begin = {0};
  const int32_t vertices = static_cast<int32_t>(surfaces.size()) + 2;
  for (int32_t v = 0; v < vertices; ++v) {
    if (v > 0 && v + 1 < vertices) {
      lattice.emit_token.push_back(v - 1);
      lattice.emit_cost.push_back(1.0f);
      lattice.token_id.push_back(v - 1);
      lattice.surface.push_back(surfaces[v - 1]);
    }
    lattice.emit_begin.push_back(static_cast<int32_t>(lattice.emit_token.size()));
    if (v + 1 < vertices) {
      lattice.arc_to.push_back(v + 1);
      lattice.arc_cost.push_back(0.5f);
    }
    lattice.arc_begin.push_back(static_cast<int32_t>(lattice.arc_to.size()));
  }
  lattice.check();
  return lattice;
}

// Whether a machine accepts the text of a chain, token by token.
template <typename MachineType>
bool reads(MachineType& machine, const Lattice& lattice) {
  uint32_t state = machine.start();
  for (uint32_t token = 0; token < lattice.surface.size(); ++token) state = machine.step(state, token, token == 0);
  return machine.accepts(state);
}

}  // namespace controldag::testing
