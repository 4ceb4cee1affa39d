// The n best texts of a product graph.
#pragma once

#include <vector>

#include "controldag/product_graph.h"

namespace controldag {

// Distinct texts of least objective, best first, none above `upper`.
std::vector<Path> graph_texts(SearchSpace& space, const ExactBounds& bounds, ProductGraph& graph, size_t n, double upper,
                              MemoryMeter& meter);

}  // namespace controldag
