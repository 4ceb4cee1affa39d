#include "controldag/nfa.h"

#include <algorithm>
#include <map>
#include <optional>

#include "controldag/error.h"
#include "controldag/fold_case.h"
#include "controldag/limits.h"
#include "controldag/utf8.h"

namespace controldag {
namespace {

// Adds the phrase as a chain from `from` to `to`, with its word-edge conditions and letter cases.
void add_phrase(Nfa& nfa, const Phrase& phrase, uint32_t from, uint32_t to) {
  const std::string text = phrase.ignore_case ? fold_case(phrase.text) : phrase.text;
  const bool guard_front = phrase.whole_word && is_word_byte(static_cast<uint8_t>(text.front()));
  const bool guard_back = phrase.whole_word && is_word_byte(static_cast<uint8_t>(text.back()));
  uint32_t here = nfa.add_state();
  nfa.add_epsilon(from, here, guard_front ? Guard::kNotWordBefore : Guard::kNone);
  for (size_t at = 0; at < text.size();) {
    char32_t code_point = 0;
    const size_t size = decode_utf8(text, at, code_point);
    const uint32_t next = nfa.add_state();
    std::vector<std::string> spellings{text.substr(at, std::max<size_t>(size, 1))};
    if (phrase.ignore_case && size > 0)
      for (char32_t other : cased_variants(code_point)) spellings.push_back(encode_utf8(other));
    for (const std::string& spelling : spellings) {
      uint32_t node = here;
      for (size_t i = 0; i < spelling.size(); ++i) {
        const uint32_t target = i + 1 == spelling.size() ? next : nfa.add_state();
        const uint8_t byte = static_cast<uint8_t>(spelling[i]);
        nfa.add_edge(node, byte, byte, target);
        node = target;
      }
    }
    here = next;
    at += std::max<size_t>(size, 1);
  }
  nfa.add_epsilon(here, to, guard_back ? Guard::kNotWordAfter : Guard::kNone);
}

void check_phrase(const Phrase& phrase) {
  if (phrase.text.empty()) throw InvalidArgument("phrase", "not be empty", "''");
  if (phrase.text.size() > static_cast<size_t>(kMaxPhraseBytes))
    throw InvalidArgument("phrase", "have at most " + std::to_string(kMaxPhraseBytes) + " bytes",
                          std::to_string(phrase.text.size()) + " bytes long");
}

}  // namespace

uint32_t Nfa::add_state() {
  if (states >= kMaxNfaStates) throw TooLarge("The number of automaton states of one constraint", states, kMaxNfaStates);
  return states++;
}

void Nfa::check() const {
  const auto in_range = [&](uint32_t state) {
    if (state >= states)
      throw InvalidArgument("state", "be below " + std::to_string(states), std::to_string(state));
  };
  if (states > kMaxNfaStates)
    throw TooLarge("The number of automaton states of one constraint", states, kMaxNfaStates);
  in_range(start);
  in_range(accept);
  for (const Edge& edge : edges) {
    in_range(edge.from), in_range(edge.to);
    if (edge.low > edge.high)
      throw InvalidArgument("edge", "have low <= high", std::to_string(edge.low) + " > " + std::to_string(edge.high));
  }
  for (const Epsilon& epsilon : epsilons) {
    in_range(epsilon.from), in_range(epsilon.to);
    if (epsilon.guard > Guard::kNotBoundary)
      throw InvalidArgument("guard", "be between 0 and 6", std::to_string(static_cast<int>(epsilon.guard)));
  }
}

Nfa sequence_nfa(const std::vector<std::vector<Phrase>>& stages) {
  if (stages.empty()) throw InvalidArgument("phrases", "not be empty", "empty");
  Nfa nfa;
  nfa.sticky = true;
  uint32_t here = nfa.start = nfa.add_state();
  nfa.loop_any(here);
  for (const auto& alternatives : stages) {
    if (alternatives.empty()) throw InvalidArgument("phrases", "not be empty", "empty");
    const uint32_t next = nfa.add_state();
    nfa.loop_any(next);
    for (const Phrase& phrase : alternatives) {
      check_phrase(phrase);
      add_phrase(nfa, phrase, here, next);
    }
    here = next;
  }
  nfa.accept = here;
  return nfa;
}

Nfa own_occurrences_nfa(const std::vector<Phrase>& phrases) {
  // Distinct phrases with how often each is needed; a state per vector of how often each was seen.
  std::vector<Phrase> kinds;
  std::vector<uint32_t> needed;
  for (const Phrase& phrase : phrases) {
    check_phrase(phrase);
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Phrase& p) {
      return p.text == phrase.text && p.ignore_case == phrase.ignore_case && p.whole_word == phrase.whole_word;
    });
    if (same == kinds.end()) {
      kinds.push_back(phrase);
      needed.push_back(1);
    } else {
      ++needed[same - kinds.begin()];
    }
  }
  uint64_t combinations = 1;
  for (uint32_t n : needed) {
    combinations *= n + 1;
    if (combinations > kMaxNfaStates / 4)
      throw TooLarge("The number of ways to place phrases that overlap one another", combinations, kMaxNfaStates / 4);
  }
  Nfa nfa;
  nfa.sticky = true;
  std::vector<uint32_t> loops(combinations);
  for (uint32_t& loop : loops) {
    loop = nfa.add_state();
    nfa.loop_any(loop);
  }
  for (uint64_t seen = 0; seen < combinations; ++seen) {
    uint64_t unit = 1;
    for (size_t k = 0; k < kinds.size(); ++k) {
      if (seen / unit % (needed[k] + 1) < needed[k]) add_phrase(nfa, kinds[k], loops[seen], loops[seen + unit]);
      unit *= needed[k] + 1;
    }
  }
  nfa.start = loops.front();
  nfa.accept = loops.back();
  return nfa;
}

bool can_overlap(const Phrase& a, const Phrase& b) {
  const bool fold = a.ignore_case || b.ignore_case;
  const std::string x = fold ? fold_case(a.text) : a.text;
  const std::string y = fold ? fold_case(b.text) : b.text;
  const auto word = [](const std::string& s, size_t i) { return is_word_byte(static_cast<uint8_t>(s[i])); };
  // Lay y over x with its first byte at offset `shift` of x (which may be negative).
  for (int64_t shift = 1 - static_cast<int64_t>(y.size()); shift < static_cast<int64_t>(x.size()); ++shift) {
    const size_t from_x = shift > 0 ? shift : 0, from_y = shift > 0 ? 0 : -shift;
    const size_t shared = std::min(x.size() - from_x, y.size() - from_y);
    if (x.compare(from_x, shared, y, from_y, shared) != 0) continue;
    // A whole-word phrase cannot begin or end where the other one puts a word byte next to its word edge.
    if (b.whole_word && from_x > 0 && word(y, 0) && word(x, from_x - 1)) continue;
    if (a.whole_word && from_y > 0 && word(x, 0) && word(y, from_y - 1)) continue;
    const size_t end_x = from_x + shared, end_y = from_y + shared;
    if (b.whole_word && end_x < x.size() && word(y, y.size() - 1) && word(x, end_x)) continue;
    if (a.whole_word && end_y < y.size() && word(x, x.size() - 1) && word(y, end_y)) continue;
    return true;
  }
  return false;
}

}  // namespace controldag
