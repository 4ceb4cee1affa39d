// The byte trie and the vocabulary automaton.
#include <memory>

#include "check.h"
#include "controldag/error.h"
#include "controldag/vocabulary.h"

using namespace controldag;
using controldag::testing::chain;
using controldag::testing::reads;

namespace {

void trie_holds_its_strings() {
  const Trie trie({{"ab", 1}, {"abc", 2}, {"b", 1}, {"ab", 4}, {"", 8}});
  CHECK(trie.mark(0) == 8);
  const uint32_t a = trie.child(0, 'a');
  CHECK(a != Trie::kNone && trie.mark(a) == 0 && !trie.leaf(a));
  const uint32_t ab = trie.child(a, 'b');
  CHECK(ab != Trie::kNone && trie.mark(ab) == 5);
  const uint32_t abc = trie.child(ab, 'c');
  CHECK(abc != Trie::kNone && trie.mark(abc) == 2 && trie.leaf(abc));
  CHECK(trie.child(ab, 'd') == Trie::kNone && trie.child(0, 'c') == Trie::kNone && trie.child(abc, 'c') == Trie::kNone);
  CHECK(trie.nodes() == 5);
  CHECK(Trie().leaf(0) && Trie().child(0, 0) == Trie::kNone);
}

void vocabulary_reads_chunks() {
  const auto words = std::make_shared<WordList>(std::vector<std::string>{"San", "in", "check-in", "(x)"}, ".,()-");
  const VocabularySpec any = make_vocabulary(words, {"San Jose", "J."}, true, {});
  const VocabularySpec licensed = make_vocabulary(words, {}, false, {"5", "-7"});
  const auto accepts = [](const VocabularySpec& spec, const std::vector<std::string>& tokens) {
    const Lattice lattice = chain(tokens);
    const Limits limits;
    VocabularyMachine machine(spec, lattice, limits);
    return reads(machine, lattice);
  };
  CHECK(accepts(any, {" in"}) && accepts(any, {"in"}) && accepts(any, {" i", "n"}));
  CHECK(accepts(any, {" San", " Jose", "'s", "."}));
  const VocabularySpec plain = make_vocabulary(words, {"San Jose"}, true, {}, false);
  CHECK(accepts(plain, {" San", " Jose", "."}) && !accepts(plain, {" San", " Jose", "'s", "."}));
  CHECK(accepts(any, {" (", "San Jose", "),", " in"}));
  CHECK(accepts(any, {" x"}) && accepts(any, {" check", "-in"}));
  CHECK(!accepts(any, {" Jose"}) && !accepts(any, {" in", "in"}) && !accepts(any, {" in", " "}));
  CHECK(!accepts(any, {" ", " in"}) && !accepts(any, {" in", " ", " in"}) && !accepts(any, {" ."}));
  CHECK(accepts(any, {" 1", "2.5", "pm"}) && !accepts(any, {" 1", "x"}) && !accepts(any, {" 1..2"}));
  CHECK(accepts(licensed, {" 5."}) && accepts(licensed, {" -7"}) && !accepts(licensed, {" 55"}));
}

void bad_word_lists_are_refused() {
  CHECK_THROWS(WordList({"a b"}, "."), InvalidArgument);
  CHECK_THROWS(WordList({"a"}, ". "), InvalidArgument);
  CHECK_THROWS(WordList({"a"}, "\xC3"), InvalidArgument);
  const auto words = std::make_shared<WordList>(std::vector<std::string>{"a"}, ".");
  CHECK_THROWS(make_vocabulary(words, {" a"}, true, {}), InvalidArgument);
  CHECK_THROWS(make_vocabulary(words, {}, false, {""}), InvalidArgument);
}

}  // namespace

int main() {
  trie_holds_its_strings();
  vocabulary_reads_chunks();
  bad_word_lists_are_refused();
}
