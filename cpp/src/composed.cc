#include "controldag/composed.h"

#include <algorithm>

#include "controldag/error.h"

namespace controldag {

namespace {

constexpr uint32_t kEnd = UINT32_MAX;

bool over_tokens(const std::vector<Constraint>& constraints) {
  using Kind = ConstraintNode::Kind;
  refuse_none(constraints);
  std::vector<Constraint> todo = constraints;
  while (!todo.empty()) {
    const Constraint node = todo.back();
    todo.pop_back();
    if (node->kind == Kind::kPhrase || node->kind == Kind::kNfa || node->kind == Kind::kVocabulary) return false;
    todo.insert(todo.end(), node->children.begin(), node->children.end());
  }
  return true;
}

}  // namespace

Composed::Composed(const SearchInput& input)
    : lattice_(input.lattice), limits_(input.limits), space_(input), token_level_(over_tokens(input.constraints)),
      head_(input.lattice.vertices(), kEnd) {
  if (space_.program.has_soft())
    throw InvalidArgument("constraint", "have no soft members in this search", "partly soft");
  state(0, 0, 0);
  // Arcs go forward: when a vertex' turn comes, all its states are there.
  for (int32_t v = 0; v < lattice_.last(); ++v)
    for (uint32_t s = head_[v]; s != kEnd; s = states_[s].next) expand(s);
  trim();
}

uint32_t Composed::merged(const Product& product, uint32_t state) const {
  return token_level_ && std::equal(product.parts(0), product.parts(0) + product.width(), product.parts(state)) ? 0
                                                                                                               : state;
}

uint32_t Composed::state(int32_t vertex, uint32_t lexical, uint32_t wide) {
  bool added = false;
  const uint32_t number =
      numbers_.at(product_key(vertex, lexical, wide), static_cast<uint32_t>(states_.size()), added);
  if (added) {
    if (states_.size() >= limits_.max_states)
      throw TooLarge("The number of states of the composition", states_.size(), limits_.max_states);
    states_.push_back({vertex, lexical, wide, head_[vertex], 0, 0});
    head_[vertex] = number;
  }
  return number;
}

void Composed::expand(uint32_t from) {
  const State here = states_[from];
  const size_t begin = arcs_.size();
  if (here.vertex == 0) emit(from, -1, 0, here.lexical, here.wide);
  for (int32_t e = lattice_.emit_begin[here.vertex]; e < lattice_.emit_begin[here.vertex + 1]; ++e) {
    const uint32_t token = lattice_.emit_token[e];
    const uint32_t wide = merged(space_.wide, space_.wide.step(here.wide, token));
    const uint32_t lexical = merged(space_.lexical, space_.lexical.step(here.lexical, token));
    if (!space_.dead_wide(wide)) emit(from, e, lattice_.emit_cost[e], lexical, wide);
  }
  states_[from].begin = begin;
  states_[from].end = arcs_.size();
  const uint64_t bytes = arcs_.size() * sizeof(Arc) + states_.size() * sizeof(State);
  if (bytes > limits_.max_bytes)
    throw TooLarge("The memory of the composition in bytes", bytes, limits_.max_bytes);
}

void Composed::emit(uint32_t from, int32_t emission, float cost, uint32_t lexical, uint32_t wide) {
  const int32_t v = states_[from].vertex;
  for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
    const int32_t to = lattice_.arc_to[a];
    if (to == lattice_.last() && v == 0) continue;  // the empty text
    arcs_.push_back({state(to, lexical, wide), emission, cost + lattice_.arc_cost[a]});
  }
}

void Composed::trim() {
  alive_.assign(states_.size(), 0);
  final_.assign(states_.size(), 0);
  for (uint32_t s = head_[lattice_.last()]; s != kEnd; s = states_[s].next)
    alive_[s] = final_[s] = space_.accepts(states_[s].lexical, states_[s].wide);
  for (int32_t v = lattice_.last() - 1; v >= 0; --v)
    for (uint32_t s = head_[v]; s != kEnd; s = states_[s].next)
      for (size_t a = states_[s].begin; a < states_[s].end && !alive_[s]; ++a) alive_[s] = alive_[arcs_[a].to];
}

std::vector<Composed::Arc> Composed::arcs(uint32_t state) const {
  std::vector<Arc> found;
  for (size_t a = states_[state].begin; a < states_[state].end; ++a)
    if (alive(arcs_[a].to)) found.push_back(arcs_[a]);
  std::stable_sort(found.begin(), found.end(),
                   [](const Arc& a, const Arc& b) { return a.to != b.to ? a.to < b.to : a.cost < b.cost; });
  found.erase(std::unique(found.begin(), found.end(), [](const Arc& a, const Arc& b) { return a.to == b.to; }),
              found.end());
  std::stable_sort(found.begin(), found.end(), [](const Arc& a, const Arc& b) { return a.cost < b.cost; });
  return found;
}

}  // namespace controldag
