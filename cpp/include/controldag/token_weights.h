// Additive weights of n-grams: gains (lattice minimum-Bayes-risk decoding) or a back-off language model.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "controldag/flat_map.h"
#include "controldag/token_level.h"

namespace controldag {

// A deterministic automaton over token ids whose states are the longest contexts that still matter.
// Immutable once built; shared by all requests.
class TokenWeights {
 public:
  // Every occurrence of an n-gram adds its weight to the cost (a gain is a negative weight).
  static std::shared_ptr<const TokenWeights> of_ngrams(const std::vector<std::pair<TokenSequence, float>>& ngrams);
  // Back-off model (ARPA style): n-gram costs (-log p) and back-off costs of contexts, scaled by `scale`.
  // Tokens unknown as unigrams cost `unknown`. A token of `aliases` counts as the one beside it.
  static std::shared_ptr<const TokenWeights> of_backoff(const std::vector<std::pair<TokenSequence, float>>& costs,
                                                        const std::vector<std::pair<TokenSequence, float>>& backoffs,
                                                        float unknown, float scale,
                                                        const std::vector<std::pair<uint32_t, uint32_t>>& aliases = {});
  // The same weights, where a token of `aliases` counts as the one beside it; nothing is copied.
  static std::shared_ptr<const TokenWeights> of_aliases(std::shared_ptr<const TokenWeights> weights,
                                                        const std::vector<std::pair<uint32_t, uint32_t>>& aliases);

  struct Step {
    uint32_t state;
    float weight;
  };
  Step step(uint32_t state, int64_t token) const {
    return base_ ? base_->step(state, known_as(token)) : walk(state, known_as(token));
  }
  // No context gives this token less.
  float least(int64_t token) const;
  // The longest context of at most `order` (1 to kLongestCut) tokens that `state` ends with.
  uint32_t cut(uint32_t state, uint32_t order) const { return (base_ ? base_.get() : this)->cuts_[order - 1][state]; }
  // From a cut context: the cut context after the token, and a weight that no context which is cut to this one is below.
  Step least_step(uint32_t context, int64_t token, uint32_t order) const;
  static constexpr uint32_t kLongestCut = 3;

 private:
  uint32_t add_node(const TokenSequence& tokens, size_t size);
  static uint64_t key(uint32_t node, int64_t token) { return (uint64_t{node} << 32) | static_cast<uint32_t>(token); }
  int64_t known_as(int64_t token) const {
    return static_cast<size_t>(token) < alias_.size() ? alias_[static_cast<size_t>(token)] : token;
  }
  void add_aliases(const std::vector<std::pair<uint32_t, uint32_t>>& aliases);
  void link_contexts();
  void pack();
  void find_pairs();
  Step walk(uint32_t state, int64_t token) const;
  Step compute_least_step(uint32_t context, int64_t token, uint32_t order) const;
  void find_least(const std::vector<float>& values);
  void find_cuts(const std::vector<float>& values);

  // What a step reads of a context, in one place: looking it up is what the time goes to.
  struct alignas(32) Node {
    uint64_t children;  // a bit for each token that may have a child here: most contexts have few
    uint32_t shorter;
    float backoff, weight;
    uint32_t known;
  };
  static uint64_t bit(int64_t token) { return uint64_t{1} << (static_cast<uint64_t>(token) * 0x9E3779B97F4A7C15ull >> 58); }
  const uint32_t* child(uint32_t context, int64_t token) const {
    return nodes_[context].children & bit(token) ? children_.find(key(context, token)) : nullptr;
  }

  std::shared_ptr<const TokenWeights> base_;  // whose weights these are, where only aliases differ
  bool backoff_ = false;
  float unknown_ = 0;
  std::vector<uint32_t> alias_;      // by token, up to the last that has one
  FlatMap children_{64};             // (context node, token) -> node; node 0 is the empty context
  std::vector<uint32_t> shorter_;    // the node of the context without its first token
  std::vector<uint32_t> depth_, parent_;
  std::vector<int64_t> token_;
  std::vector<float> weight_;        // of the n-gram that ends here: gains, or cost when `known_`
  std::vector<uint8_t> known_;
  std::vector<float> total_;         // gains: of all n-grams that end here, by suffix
  std::vector<float> backoff_cost_;
  std::vector<Node> nodes_;
  FlatMap least_index_{64};
  std::vector<float> least_;
  std::array<std::vector<uint32_t>, kLongestCut> cuts_;  // by order, then node
  std::array<FlatMap, kLongestCut> beyond_index_;  // (cut context, token) -> the least weight in longer contexts
  std::array<std::vector<float>, kLongestCut> beyond_;
  FlatTable<Step> pairs_{64};  // least_step of contexts of at most one token, where more is known than of the token alone
};

}  // namespace controldag
