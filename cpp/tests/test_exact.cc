// Searches on a lattice small enough to work out by hand: I, then am or 'm, then (here), then a dot or none.
#include <cmath>

#include "check.h"
#include "controldag/error.h"
#include "controldag/search.h"

using namespace controldag;

namespace {

Lattice sentence() {
  Lattice lattice;
  lattice.emit_begin = {0, 0, 1, 3, 4, 5, 5};
  lattice.emit_token = {0, 1, 2, 3, 4};
  lattice.emit_cost = {0.1f, 1.0f, 0.5f, 0.2f, 0.3f};
  lattice.arc_begin = {0, 1, 2, 4, 6, 7, 7};
  lattice.arc_to = {1, 2, 3, 5, 4, 5, 5};
  lattice.arc_cost = {0.0f, 0.1f, 0.4f, 1.5f, 1.0f, 0.5f, 0.0f};
  lattice.token_id = {10, 11, 12, 13, 14};
  lattice.surface = {" I", " am", "'m", " here", " ."};
  lattice.check();
  return lattice;
}

struct Asked {
  std::vector<Constraint> constraints;
  LengthWeights lengths;
  Limits limits;
};

std::optional<Path> best(const Lattice& lattice, const Asked& asked) {
  SearchStats stats;
  return search_exact({lattice, asked.constraints, asked.lengths, asked.limits}, stats);
}

bool near(double a, double b) { return std::abs(a - b) < 1e-5; }

Constraint contains(const char* text) { return phrase_constraint({{{text}}}, false, text); }

void finds_the_cheapest() {
  const Lattice lattice = sentence();
  const auto path = best(lattice, {});
  CHECK(path && path_text(lattice, *path) == "I'm here" && near(path->cost, 1.8) && near(path->objective, 1.8));
  CHECK((path->vertices == std::vector<int32_t>{1, 2, 3}));
}

void obeys_constraints() {
  const Lattice lattice = sentence();
  const auto path = best(lattice, {{contains("."), negation(contains("'m"))}, {}, {}});
  CHECK(path && path_text(lattice, *path) == "I am here ." && near(path->cost, 3.1));
  CHECK(!best(lattice, {{contains("you")}, {}, {}}));
  const auto dear = best(lattice, {{soft(contains("am"), 0.4)}, {}, {}});
  CHECK(dear && near(dear->penalty, 0.4) && near(dear->cost, 2.2));
}

void weighs_lengths() {
  const Lattice lattice = sentence();
  const double no = std::numeric_limits<double>::infinity();
  const auto exact = best(lattice, {{}, {{no, no, no, 1, no, no}}, {}});
  CHECK(exact && path_text(lattice, *exact) == "I'm" && near(exact->objective, 2.2));
  const auto longest = best(lattice, {{}, {{no, no, 10, 9, 8, 1}}, {}});
  CHECK(longest && path_text(lattice, *longest) == "I'm here ." && near(longest->objective, 2.6));
  CHECK(!best(lattice, {{}, {{no, no, no, no, no, no}}, {}}));
}

void lists_distinct_strings() {
  const Lattice lattice = sentence();
  const Asked asked;
  SearchStats stats;
  const auto paths = search_n_best({lattice, asked.constraints, asked.lengths, asked.limits}, 4, stats);
  CHECK(paths.size() == 4);
  const std::vector<std::string> expected{"I'm here", "I'm", "I am here", "I'm here ."};
  for (size_t i = 0; i < paths.size(); ++i) CHECK(path_text(lattice, paths[i]) == expected[i]);
}

void refuses_broken_lattices() {
  Lattice backward = sentence();
  backward.arc_to[2] = 1;
  CHECK_THROWS(backward.check(), InvalidArgument);
  Lattice negative = sentence();
  negative.emit_cost[0] = -1;
  CHECK_THROWS(negative.check(), InvalidArgument);
  Lattice offsets = sentence();
  offsets.emit_begin[3] = 99;
  CHECK_THROWS(offsets.check(), InvalidArgument);
  Lattice token = sentence();
  token.emit_token[0] = 5;
  CHECK_THROWS(token.check(), InvalidArgument);
  Lattice empty;
  CHECK_THROWS(empty.check(), InvalidArgument);
}

void keeps_within_limits() {
  const Lattice lattice = sentence();
  Asked asked{{contains("am"), contains("here")}, {}, {}};
  asked.limits.max_states = 3;
  CHECK_THROWS(best(lattice, asked), TooLarge);
}

}  // namespace

int main() {
  finds_the_cheapest();
  obeys_constraints();
  weighs_lengths();
  lists_distinct_strings();
  refuses_broken_lattices();
  keeps_within_limits();
}
