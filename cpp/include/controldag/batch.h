// Many searches on several threads; results do not depend on how many.
#pragma once

#include <exception>
#include <memory>

#include "controldag/search.h"

namespace controldag {

struct BatchItem {
  std::shared_ptr<const Lattice> lattice;
  std::vector<Constraint> constraints;
  LengthWeights lengths;
  int32_t n_best = 1;
  std::shared_ptr<const TokenWeights> weights;  // may be null
};

struct BatchResult {
  std::vector<Path> paths;   // best first; empty: infeasible
  std::exception_ptr error;  // set where this item's search threw
};

std::vector<BatchResult> search_batch(const std::vector<BatchItem>& items, const Limits& limits, int32_t threads);

}  // namespace controldag
