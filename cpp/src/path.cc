#include <algorithm>

#include "controldag/error.h"
#include "controldag/search.h"

namespace controldag {

double path_cost(const Lattice& lattice, const Path& path) {
  const auto arc = [&](int32_t from, int32_t to) -> double {
    for (int32_t a = lattice.arc_begin[from]; a < lattice.arc_begin[from + 1]; ++a)
      if (lattice.arc_to[a] == to) return lattice.arc_cost[a];
    throw InvalidArgument("path", "follow arcs of the lattice", std::to_string(from) + " -> " + std::to_string(to));
  };
  double cost = path.penalty;
  int32_t here = 0;
  for (size_t i = 0; i < path.vertices.size(); ++i) {
    cost += arc(here, path.vertices[i]) + static_cast<double>(lattice.emit_cost[path.emissions[i]]);
    here = path.vertices[i];
  }
  return cost + arc(here, lattice.last());
}

int32_t vertex_of(const Lattice& lattice, int32_t emission) {
  const auto& begin = lattice.emit_begin;
  return static_cast<int32_t>(std::upper_bound(begin.begin(), begin.end(), emission) - begin.begin()) - 1;
}

std::string path_text(const Lattice& lattice, const Path& path) {
  std::string text;
  for (int32_t e : path.emissions) text += lattice.surface[lattice.emit_token[e]];
  if (text.starts_with(' ')) text.erase(0, 1);
  return text;
}

}  // namespace controldag
