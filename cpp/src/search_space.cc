#include "controldag/search_space.h"

#include "controldag/error.h"

namespace controldag {
namespace {

Program make_program(const SearchInput& input) {
  Program program(input.constraints, input.lattice, input.limits);
  // The context machine goes last, where emission_cost looks for it; no formula mentions it.
  if (input.weights) program.wide.push_back(std::make_unique<ContextMachine>(*input.weights, input.lattice, input.limits));
  return program;
}

LengthProfile make_profile(const SearchInput& input, std::span<const float> floor, MemoryMeter& meter) {
  const uint64_t lengths = input.lengths.tracked() ? std::max(0, input.lengths.max_tokens(input.lattice) + 1) : 1;
  meter.take(lengths * static_cast<uint64_t>(input.lattice.vertices()) * sizeof(float));
  return LengthProfile(input.lattice, floor, input.lengths, input.limits);
}

// How many sums the bound may take for one reward, at first and once it is sharpened.
constexpr size_t kMostSums = size_t{1} << 24, kMostSharpSums = size_t{1} << 27;

}  // namespace

SearchSpace::SearchSpace(const SearchInput& input)
    : input(input), lattice(input.lattice), program(make_program(input)),
      lexical(program.lexical, input.lattice.token_id.size(), input.limits, true),
      wide(program.wide, input.lattice.token_id.size(), input.limits, true, program.decisive_wide()),
      closures(LexicalClosure::all(lattice, program)), closure(closures.front()),
      ngrams_(input.weights ? static_cast<ContextMachine*>(program.wide.back().get()) : nullptr),
      contexts_(make_contexts()), meter_(input.limits),
      profile(make_profile(input, emission_floor(), meter_)),
      tracked(input.lengths.tracked()) {}

// Contexts take far longer to lay out than this takes to find out that nothing can satisfy the lexical machines.
bool SearchSpace::lexically_feasible() const {
  VertexBound::Costs free{std::vector<float>(lattice.emit_cost.size(), 0), std::vector<float>(lattice.arc_cost.size(), 0)};
  for (const LexicalClosure& each : closures) {
    MemoryMeter meter(input.limits);
    meter.take(VertexBound::bytes(lattice, each));
    VertexBound bound(lattice, each);
    bound.solve(free, false, input.limits);
    if (bound.total() == kInfinity) return false;
  }
  return true;
}

std::optional<NgramContexts> SearchSpace::make_contexts() const {
  if (!ngrams_ || !lexically_feasible()) return std::nullopt;
  return std::make_optional<NgramContexts>(lattice, *ngrams_, program, closure, kMostSums);
}

bool SearchSpace::sharpen() { return contexts_ && contexts_->sharpen(kMostSharpSums); }

double SearchSpace::weight_of(const Path& path) const {
  double sum = 0;
  uint32_t context = 0;
  for (size_t i = 0; input.weights && i < path.emissions.size(); ++i) {
    const auto step = input.weights->step(context, lattice.token_id[lattice.emit_token[path.emissions[i]]]);
    sum += step.weight;
    context = step.state;
  }
  return sum;
}

}  // namespace controldag
