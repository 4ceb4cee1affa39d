// The searches of the literature, as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "convert.h"

#include "controldag/classic.h"

namespace nb = nanobind;

namespace controldag {
namespace {

// Runs a search without the GIL.
template <typename Search>
std::optional<Found> found_by(const Lattice& lattice, Search&& search) {
  nb::gil_scoped_release release;
  const std::optional<Path> path = search();
  return path ? std::optional(to_found(lattice, *path)) : std::nullopt;
}

}  // namespace

void bind_classic(nb::module_& m) {
  using LatticePointer = std::shared_ptr<Lattice>;
  m.def("search_greedy", [](LatticePointer lattice) {
    return found_by(*lattice, [&] { return search_greedy(*lattice); });
  });
  m.def("search_lookahead", [](LatticePointer lattice) {
    return found_by(*lattice, [&] { return search_lookahead(*lattice); });
  });
  m.def("search_viterbi", [](LatticePointer lattice, Array<double> weights, const Limits& limits) {
    const LengthWeights lengths{to_vector(weights)};
    return found_by(*lattice, [&, caps = limits] { return search_viterbi(*lattice, lengths, caps); });
  });
  m.def("search_beam", [](LatticePointer lattice, std::vector<TokenSequence> phrases, int32_t size,
                          Array<double> weights, const Limits& limits) {
    const LengthWeights lengths{to_vector(weights)};
    return found_by(*lattice, [&, caps = limits] { return search_beam(*lattice, phrases, size, lengths, caps); });
  });
  m.def("search_dfs_viterbi", [](LatticePointer lattice, std::vector<Constraint> constraints, Array<double> weights,
                                 double share, int32_t successors, int32_t longest, const Limits& limits) {
    const LengthWeights lengths{to_vector(weights)};
    const DfsOptions options{share, successors, longest};
    return found_by(*lattice, [&, caps = limits] {
      return search_dfs_viterbi({*lattice, constraints, lengths, caps}, options);
    });
  });
}

}  // namespace controldag
