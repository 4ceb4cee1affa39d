// The vocabulary constraint: every blank-separated chunk is edge punctuation, a core, edge punctuation.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "controldag/lattice.h"
#include "controldag/machine.h"
#include "controldag/state_sets.h"

namespace controldag {

// A byte trie in flat, read-only arrays; node 0 is the root.
class Trie {
 public:
  Trie() : Trie(std::vector<std::pair<std::string, uint8_t>>{}) {}
  // Strings with the marks their last node carries; equal strings join their marks.
  explicit Trie(std::vector<std::pair<std::string, uint8_t>> strings);
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t child(uint32_t node, uint8_t byte) const {
    if (node == 0) return root_[byte];
    for (uint32_t e = begin_[node]; e < begin_[node + 1]; ++e)
      if (label_[e] == byte) return to_[e];
    return kNone;
  }
  uint8_t mark(uint32_t node) const { return mark_[node]; }
  bool leaf(uint32_t node) const { return begin_[node] == begin_[node + 1]; }
  size_t nodes() const { return mark_.size(); }

 private:
  std::array<uint32_t, 256> root_;
  std::vector<uint32_t> begin_, to_;
  std::vector<uint8_t> label_, mark_;
};

// Words, punctuation and the number rule: built once, shared by all requests.
struct WordList {
  // Edge punctuation is stripped from the words (a chunk may carry it anyway); words with a blank are refused.
  WordList(const std::vector<std::string>& words, const std::string& punctuation);
  Trie words;
  Trie punctuation;
  size_t size = 0;
};

// What one request adds: entities accepted whole, and, unless any number goes, the numbers it licenses.
struct VocabularySpec {
  std::shared_ptr<const WordList> list;
  Trie overlay;  // mark 1: entity, mark 2: number
  bool any_number = true;
  bool genitives = true;  // an entity may take 's
};

VocabularySpec make_vocabulary(std::shared_ptr<const WordList> list, const std::vector<std::string>& entities,
                               bool any_number, const std::vector<std::string>& numbers, bool genitives = true);

class VocabularyMachine final : public Machine {
 public:
  VocabularyMachine(const VocabularySpec& spec, const Lattice& lattice, const Limits& limits);
  uint32_t start() override { return 1; }
  uint32_t step(uint32_t state, uint32_t token, bool first) override;
  bool accepts(uint32_t state) override { return accepts_[state]; }
  Verdict verdict(uint32_t state) override { return state == 0 ? Verdict::kDead : Verdict::kOpen; }

 private:
  using Positions = std::vector<uint32_t>;
  void step_byte(const Positions& from, uint8_t byte, Positions& to) const;
  void open_core(uint8_t byte, Positions& to) const;
  void close_chunk(uint8_t byte, Positions& to) const;
  void enter_overlay(uint32_t node, Positions& to) const;
  void enter_mark(uint32_t node, bool before_core, Positions& to) const;
  bool ends(uint32_t position) const;
  uint32_t intern(Positions& positions);

  const VocabularySpec& spec_;
  const Lattice& lattice_;
  StateSets sets_;
  std::vector<uint8_t> accepts_;
  Positions here_, next_;  // scratch
};

}  // namespace controldag
