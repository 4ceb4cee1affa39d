#include "controldag/token_level.h"

#include <algorithm>

#include "controldag/error.h"
#include "controldag/limits.h"

namespace controldag {

TokenPhraseMachine::TokenPhraseMachine(const TokenSequence& phrase, const Lattice& lattice)
    : phrase_(phrase), lattice_(lattice), border_(phrase.size() + 1, 0) {
  for (size_t i = 1, k = 0; i < phrase_.size(); ++i) {
    while (k > 0 && phrase_[i] != phrase_[k]) k = border_[k];
    if (phrase_[i] == phrase_[k]) ++k;
    border_[i + 1] = static_cast<uint32_t>(k);
  }
}

uint32_t TokenPhraseMachine::step(uint32_t state, uint32_t token, bool) {
  if (state == phrase_.size()) return state;
  const int64_t id = lattice_.token_id[token];
  while (state > 0 && phrase_[state] != id) state = border_[state];
  return phrase_[state] == id ? state + 1 : 0;
}

TokenTrie::TokenTrie(const std::vector<TokenSequence>& sequences) : terminal_(1, 0) {
  for (const TokenSequence& sequence : sequences) {
    if (sequence.empty()) throw InvalidArgument("words", "have at least one token each", "an empty sequence");
    if (sequence.size() > kMaxPhraseTokens)
      throw InvalidArgument("words", "have at most " + std::to_string(kMaxPhraseTokens) + " tokens each",
                            std::to_string(sequence.size()) + " long");
    uint32_t node = 0;
    for (int64_t token : sequence) {
      if (token < 0 || token >= UINT32_MAX)
        throw InvalidArgument("tokens", "be ids between 0 and 2^32 - 2", std::to_string(token));
      bool added = false;
      node = next_.at(key(node, token), static_cast<uint32_t>(terminal_.size()), added);
      if (added) terminal_.push_back(0);
    }
    terminal_[node] = 1;
  }
}

TokenVocabularyMachine::TokenVocabularyMachine(const TokenVocabularySpec& spec, const Lattice& lattice,
                                               const Limits& limits)
    : spec_(spec), lattice_(lattice), sets_(limits), accepts_(1, 0) {
  Positions root{0};
  intern(root);
}

uint32_t TokenVocabularyMachine::step(uint32_t state, uint32_t token, bool) {
  const int64_t id = lattice_.token_id[token];
  next_.clear();
  bool between = false;
  const auto walk = [&](const TokenTrie& trie, uint32_t node, uint32_t side) {
    const uint32_t child = trie.child(node, id);
    if (child == TokenTrie::kNone) return;
    next_.push_back(2 * child + side);
    between = between || trie.terminal(child);
  };
  for (uint32_t position : sets_.members(state)) {
    if (position % 2 == 0) walk(*spec_.dictionary, position / 2, 0);
    if (position == 0 || position % 2 == 1) walk(spec_.dynamic, position / 2, 1);
  }
  if (between) next_.push_back(0);
  return intern(next_);
}

uint32_t TokenVocabularyMachine::intern(Positions& positions) {
  const uint32_t id = sets_.number(positions);
  if (id == accepts_.size()) accepts_.push_back(positions.front() == 0);
  return id;
}

}  // namespace controldag
