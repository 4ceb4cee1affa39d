// Phrase automata and their lazy subset construction.
#include "check.h"
#include "controldag/error.h"
#include "controldag/lazy_dfa.h"
#include "controldag/nfa.h"

using namespace controldag;
using controldag::testing::chain;
using controldag::testing::reads;

namespace {

bool accepts(const Nfa& nfa, const std::vector<std::string>& tokens) {
  const CompiledNfa compiled(nfa);
  const Lattice lattice = chain(tokens);
  const Limits limits;
  LazyDfa machine(compiled, lattice, limits);
  return reads(machine, lattice);
}

void phrases_do_not_depend_on_tokens() {
  const Nfa nfa = sequence_nfa({{{"San Jose"}}});
  CHECK(accepts(nfa, {" San Jose"}) && accepts(nfa, {"x S", "an J", "ose"}) && !accepts(nfa, {" San", "Jose"}));
  CHECK(accepts(nfa, {" San San Jose"}));
  CHECK(accepts(sequence_nfa({{{"aab"}}}), {"aa", "ab"}));
}

void whole_words_and_cases() {
  const Nfa two = sequence_nfa({{{"2", false, true}}});
  CHECK(accepts(two, {" 2"}) && accepts(two, {" 25", " 2"}) && !accepts(two, {" 25"}) && !accepts(two, {"a2"}));
  CHECK(!accepts(two, {"2", "\xC3\xA9"}) && accepts(two, {"2", "."}));
  CHECK(accepts(sequence_nfa({{{"$5", false, true}}}), {"US$5"}));
  const Nfa kelvin = sequence_nfa({{{"K", true, false}}});
  CHECK(accepts(kelvin, {"k"}) && accepts(kelvin, {"\xE2", "\x84\xAA"}) && !accepts(kelvin, {"\xE2\x84"}));
}

void stages_follow_one_another() {
  const Nfa twice = sequence_nfa({{{"aa"}}, {{"aa"}}});
  CHECK(accepts(twice, {"aaaa"}) && !accepts(twice, {"aaa"}));
  CHECK(accepts(sequence_nfa({{{"x"}, {"ab"}}, {{"c"}}}), {"abc"}));
}

void own_occurrences_are_disjoint() {
  const Nfa nfa = own_occurrences_nfa({{"San Jose"}, {"Jose"}});
  CHECK(!accepts(nfa, {"San Jose"}) && accepts(nfa, {"Jose San Jose"}) && accepts(nfa, {"San JoseJose"}));
  CHECK(can_overlap({"San Jose"}, {"Jose"}) && can_overlap({"ab"}, {"ba"}) && !can_overlap({"ab"}, {"cd"}));
  CHECK(can_overlap({"A", true}, {"a"}) && !can_overlap({"A"}, {"a"}));
  CHECK(!can_overlap({"a", false, true}, {"ab", false, true}));
}

void odd_automata_are_safe() {
  Nfa at_once;  // accepts before anything is read, for ever
  at_once.states = 1;
  at_once.sticky = true;
  CHECK(accepts(at_once, {"a"}));
  Nfa never;
  never.states = 2;
  never.accept = 1;
  CHECK(!accepts(never, {"a"}));
  Nfa wrong;
  wrong.states = 1;
  wrong.add_edge(0, 'a', 'a', 7);
  CHECK_THROWS(CompiledNfa(wrong), InvalidArgument);
  CHECK_THROWS(sequence_nfa({}), InvalidArgument);
  CHECK_THROWS(sequence_nfa({{{""}}}), InvalidArgument);
}

void states_are_limited() {
  const CompiledNfa compiled(sequence_nfa({{{"abcdefgh"}}}));
  const Lattice lattice = chain({"abcdefg"});
  Limits limits;
  limits.max_states = 4;
  LazyDfa machine(compiled, lattice, limits);
  CHECK_THROWS(reads(machine, lattice), TooLarge);
}

}  // namespace

int main() {
  phrases_do_not_depend_on_tokens();
  whole_words_and_cases();
  stages_follow_one_another();
  own_occurrences_are_disjoint();
  odd_automata_are_safe();
  states_are_limited();
}
