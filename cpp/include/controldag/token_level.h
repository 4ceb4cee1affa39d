// Constraints over token ids instead of bytes: the paper's own reading of a phrase and of a dictionary.
#pragma once

#include <memory>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/machine.h"
#include "controldag/flat_map.h"
#include "controldag/state_sets.h"

namespace controldag {

using TokenSequence = std::vector<int64_t>;

// `.* phrase .*` over tokens, by Knuth, Morris and Pratt.
class TokenPhraseMachine final : public Machine {
 public:
  TokenPhraseMachine(const TokenSequence& phrase, const Lattice& lattice);
  uint32_t start() override { return 0; }
  uint32_t step(uint32_t state, uint32_t token, bool first) override;
  bool accepts(uint32_t state) override { return state == phrase_.size(); }
  Verdict verdict(uint32_t state) override {
    return state == phrase_.size() ? Verdict::kForever : Verdict::kOpen;
  }

 private:
  const TokenSequence& phrase_;
  const Lattice& lattice_;
  std::vector<uint32_t> border_;
};

// A trie over token ids; node 0 is the root.
class TokenTrie {
 public:
  explicit TokenTrie(const std::vector<TokenSequence>& sequences);
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t child(uint32_t node, int64_t token) const {
    const uint32_t* found = next_.find(key(node, token));
    return found ? *found : kNone;
  }
  bool terminal(uint32_t node) const { return terminal_[node]; }

 private:
  static uint64_t key(uint32_t node, int64_t token) { return (uint64_t{node} << 32) | static_cast<uint32_t>(token); }
  FlatMap next_;
  std::vector<uint8_t> terminal_;
};

// Control-DAG Eq. 1: (dictionary | special | dynamic)*, over tokens.
struct TokenVocabularySpec {
  std::shared_ptr<const TokenTrie> dictionary;
  TokenTrie dynamic;
};

class TokenVocabularyMachine final : public Machine {
 public:
  TokenVocabularyMachine(const TokenVocabularySpec& spec, const Lattice& lattice, const Limits& limits);
  uint32_t start() override { return 1; }
  uint32_t step(uint32_t state, uint32_t token, bool first) override;
  bool accepts(uint32_t state) override { return accepts_[state]; }
  Verdict verdict(uint32_t state) override { return state == 0 ? Verdict::kDead : Verdict::kOpen; }

 private:
  using Positions = std::vector<uint32_t>;  // 0: between words; 2n: dictionary node n; 2n + 1: dynamic node n
  uint32_t intern(Positions& positions);

  const TokenVocabularySpec& spec_;
  const Lattice& lattice_;
  StateSets sets_;
  std::vector<uint8_t> accepts_;
  Positions next_;  // scratch
};

}  // namespace controldag
