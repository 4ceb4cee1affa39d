#include "controldag/lattice.h"

#include <cmath>
#include <utility>

#include "controldag/error.h"
#include "controldag/limits.h"

namespace controldag {
namespace {

void check_offsets(const std::vector<int32_t>& begin, size_t total, const char* name) {
  if (begin.front() != 0 || begin.back() != static_cast<int32_t>(total))
    throw InvalidArgument(name, "run from 0 to the number of entries (" + std::to_string(total) + ")",
                          std::to_string(begin.front()) + " to " + std::to_string(begin.back()));
  for (size_t i = 1; i < begin.size(); ++i)
    if (begin[i] < begin[i - 1])
      throw InvalidArgument(name, "never decrease", "decreasing at vertex " + std::to_string(i - 1));
}

void check_costs(const std::vector<float>& costs, const char* name) {
  for (size_t i = 0; i < costs.size(); ++i)
    if (!std::isfinite(costs[i]) || costs[i] < 0)
      throw InvalidArgument(name, "hold finite costs of at least 0 (negative log-probabilities)",
                            std::to_string(costs[i]) + " at entry " + std::to_string(i));
}

}  // namespace

void Lattice::check() const {
  if (emit_begin.size() < 3 || vertices() > kMaxVertices)
    throw InvalidArgument("vertices", "be between 2 and " + std::to_string(kMaxVertices),
                          std::to_string(static_cast<int64_t>(emit_begin.size()) - 1));
  if (arc_begin.size() != emit_begin.size())
    throw InvalidArgument("arc_begin", "have one entry more than there are vertices",
                          std::to_string(arc_begin.size()) + " entries");
  if (emit_token.size() != emit_cost.size() || arc_to.size() != arc_cost.size())
    throw InvalidArgument("costs", "have one entry for each token or arc", "of another size");
  if (token_id.size() != surface.size())
    throw InvalidArgument("surface", "have one entry for each token id", std::to_string(surface.size()));
  check_offsets(emit_begin, emit_token.size(), "emit_begin");
  check_offsets(arc_begin, arc_to.size(), "arc_begin");
  check_costs(emit_cost, "emission costs");
  check_costs(arc_cost, "transition costs");
  for (int32_t token : emit_token)
    if (token < 0 || token >= static_cast<int32_t>(token_id.size()))
      throw InvalidArgument("emit_token", "be below " + std::to_string(token_id.size()), std::to_string(token));
  for (size_t t = 0; t < surface.size(); ++t)
    if (surface[t].empty())
      throw InvalidArgument("surface", "have at least one byte for every token of a lattice",
                            "empty for token " + std::to_string(token_id[t]));
  if (emit_begin[1] != 0 || emit_begin[last()] != emit_begin[vertices()])
    throw InvalidArgument("emissions", "be empty at the first and the last vertex (<s> and </s>)", "not empty");
  std::vector<int32_t> token_seen(token_id.size(), -1), arc_seen(vertices(), -1);
  std::vector<uint8_t> reached(vertices(), 0);
  reached[0] = 1;
  for (int32_t v = 0; v < vertices(); ++v) {
    if (emit_begin[v + 1] - emit_begin[v] > kMaxEmissionsPerVertex)
      throw InvalidArgument("emissions", "be at most " + std::to_string(kMaxEmissionsPerVertex) + " a vertex",
                            std::to_string(emit_begin[v + 1] - emit_begin[v]));
    // A token or an arc that stands twice would be summed twice.
    for (int32_t e = emit_begin[v]; e < emit_begin[v + 1]; ++e)
      if (std::exchange(token_seen[emit_token[e]], v) == v)
        throw InvalidArgument("emissions", "name each token once a vertex",
                              std::to_string(token_id[emit_token[e]]) + " twice at vertex " + std::to_string(v));
    const bool speaks = v == 0 || emit_begin[v] != emit_begin[v + 1];
    for (int32_t a = arc_begin[v]; a < arc_begin[v + 1]; ++a) {
      if (arc_to[a] <= v || arc_to[a] >= vertices())
        throw InvalidArgument("transitions", "go forward to a vertex that exists",
                              std::to_string(v) + " -> " + std::to_string(arc_to[a]));
      if (std::exchange(arc_seen[arc_to[a]], v) == v)
        throw InvalidArgument("transitions", "name each successor once",
                              std::to_string(v) + " -> " + std::to_string(arc_to[a]) + " twice");
      if (reached[v] && speaks) reached[arc_to[a]] = 1;
    }
  }
  if (!reached[last()])
    throw InvalidArgument("transitions", "lead from the first vertex to the last", "without such a path");
}

}  // namespace controldag
