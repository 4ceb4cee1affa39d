#include "controldag/token_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "controldag/error.h"
#include "controldag/limits.h"

namespace controldag {
namespace {

constexpr uint32_t kMostTokens = 1u << 24;  // of aliases, which are a table

void check_ngram(const TokenSequence& tokens, float weight, const char* name) {
  if (tokens.empty()) throw InvalidArgument(name, "have at least one token each", "an empty n-gram");
  if (tokens.size() > kMaxNgramTokens)
    throw InvalidArgument(name, "have at most " + std::to_string(kMaxNgramTokens) + " tokens each",
                          std::to_string(tokens.size()) + " long");
  for (int64_t token : tokens)
    if (token < 0 || token >= UINT32_MAX)
      throw InvalidArgument(name, "hold token ids between 0 and 2^32 - 2", std::to_string(token));
  if (!std::isfinite(weight)) throw InvalidArgument(name, "have finite weights", std::to_string(weight));
}

}  // namespace

uint32_t TokenWeights::add_node(const TokenSequence& tokens, size_t size) {
  if (depth_.empty()) {
    depth_ = {0};
    parent_ = {0};
    token_ = {-1};
    weight_ = {0};
    known_ = {0};
    backoff_cost_ = {0};
  }
  uint32_t node = 0;
  for (size_t i = 0; i < size; ++i) {
    bool added = false;
    const uint32_t child = children_.at(key(node, tokens[i]), static_cast<uint32_t>(depth_.size()), added);
    if (added) {
      depth_.push_back(static_cast<uint32_t>(i + 1));
      parent_.push_back(node);
      token_.push_back(tokens[i]);
      weight_.push_back(0);
      known_.push_back(0);
      backoff_cost_.push_back(0);
    }
    node = child;
  }
  return node;
}

// Failure links as in Aho and Corasick: the longest proper suffix that is a context too.
void TokenWeights::link_contexts() {
  shorter_.assign(depth_.size(), 0);
  total_ = weight_;
  std::vector<uint32_t> order(depth_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return depth_[a] < depth_[b]; });
  for (uint32_t node : order) {
    if (depth_[node] > 1) {
      uint32_t context = shorter_[parent_[node]];
      for (;;) {
        if (const uint32_t* child = children_.find(key(context, token_[node]))) {
          shorter_[node] = *child;
          break;
        }
        if (context == 0) break;
        context = shorter_[context];
      }
    }
    if (node != 0) total_[node] += total_[shorter_[node]];
  }
}

void TokenWeights::pack() {
  for (size_t node = 0; node < depth_.size(); ++node)
    nodes_.push_back({0, shorter_[node], backoff_cost_[node], backoff_ ? weight_[node] : total_[node], known_[node]});
  for (size_t node = 1; node < depth_.size(); ++node) nodes_[parent_[node]].children |= bit(token_[node]);
}

std::shared_ptr<const TokenWeights> TokenWeights::of_ngrams(
    const std::vector<std::pair<TokenSequence, float>>& ngrams) {
  auto made = std::make_shared<TokenWeights>();
  made->add_node({}, 0);
  for (const auto& [tokens, weight] : ngrams) {
    check_ngram(tokens, weight, "n-grams");
    made->weight_[made->add_node(tokens, tokens.size())] += weight;
  }
  made->link_contexts();
  made->pack();
  made->find_least(made->total_);
  made->find_cuts(made->total_);
  made->find_pairs();
  return made;
}

std::shared_ptr<const TokenWeights> TokenWeights::of_backoff(
    const std::vector<std::pair<TokenSequence, float>>& costs,
    const std::vector<std::pair<TokenSequence, float>>& backoffs, float unknown, float scale,
    const std::vector<std::pair<uint32_t, uint32_t>>& aliases) {
  if (!std::isfinite(scale) || scale < 0) throw InvalidArgument("scale", "be at least 0", std::to_string(scale));
  auto made = std::make_shared<TokenWeights>();
  made->backoff_ = true;
  made->unknown_ = unknown * scale;
  made->add_aliases(aliases);
  made->add_node({}, 0);
  for (const auto& [tokens, cost] : costs) {
    check_ngram(tokens, cost, "n-grams");
    const uint32_t node = made->add_node(tokens, tokens.size());
    made->weight_[node] = cost * scale;
    made->known_[node] = 1;
  }
  for (const auto& [tokens, cost] : backoffs) {
    check_ngram(tokens, cost, "back-offs");
    if (cost < 0) throw InvalidArgument("back-offs", "be costs of at least 0", std::to_string(cost));
    made->backoff_cost_[made->add_node(tokens, tokens.size())] = cost * scale;
  }
  made->link_contexts();
  made->pack();
  made->find_least(made->weight_);
  made->find_cuts(made->weight_);
  made->find_pairs();
  return made;
}

std::shared_ptr<const TokenWeights> TokenWeights::of_aliases(
    std::shared_ptr<const TokenWeights> weights, const std::vector<std::pair<uint32_t, uint32_t>>& aliases) {
  auto made = std::make_shared<TokenWeights>();
  made->base_ = std::move(weights);
  made->add_aliases(aliases);
  return made;
}

void TokenWeights::add_aliases(const std::vector<std::pair<uint32_t, uint32_t>>& aliases) {
  for (const auto& [token, other] : aliases) {
    if (token >= kMostTokens || other >= kMostTokens)
      throw InvalidArgument("aliases", "be token ids below 2^24", std::to_string(std::max(token, other)));
    while (alias_.size() <= token) alias_.push_back(static_cast<uint32_t>(alias_.size()));
    alias_[token] = other;
  }
}

namespace {

void lower(FlatMap& index, std::vector<float>& least, uint64_t at, float value) {
  bool added = false;
  const uint32_t place = index.at(at, static_cast<uint32_t>(least.size()), added);
  if (added) least.push_back(value);
  least[place] = std::min(least[place], value);
}

}  // namespace

// The least value by last token.
void TokenWeights::find_least(const std::vector<float>& values) {
  for (uint32_t node = 1; node < depth_.size(); ++node)
    if (!backoff_ || known_[node])
      lower(least_index_, least_, static_cast<uint64_t>(token_[node]), std::min(values[node], backoff_ ? unknown_ : 0));
}

void TokenWeights::find_cuts(const std::vector<float>& values) {
  for (uint32_t order = 1; order <= kLongestCut; ++order) {
    auto& cut = cuts_[order - 1];
    cut.resize(depth_.size());
    for (uint32_t node = 0; node < depth_.size(); ++node) {
      cut[node] = node;
      while (depth_[cut[node]] > order) cut[node] = shorter_[cut[node]];
    }
    for (uint32_t node = 1; node < depth_.size(); ++node)
      if (depth_[node] > order + 1 && (!backoff_ || known_[node]))
        lower(beyond_index_[order - 1], beyond_[order - 1], key(cut[parent_[node]], token_[node]), values[node]);
  }
}

// A search asks for most steps of contexts of one token, and those of no token are asked for by all the others.
void TokenWeights::find_pairs() {
  for (uint32_t node = 1; node < depth_.size(); ++node) {
    // The longest contexts that end with the parent's last token are cut to it; so is the pair.
    const uint32_t context = cut(parent_[node], 1);
    bool added = false;
    Step& pair = pairs_.at(key(context, token_[node]), {0, 0}, added);
    if (added) pair = compute_least_step(context, token_[node], 1);
  }
}

TokenWeights::Step TokenWeights::walk(uint32_t state, int64_t token) const {
  float backed_off = 0;
  for (uint32_t context = state;; context = nodes_[context].shorter) {
    if (const uint32_t* found = child(context, token)) {
      if (!backoff_) return {*found, nodes_[*found].weight};
      if (nodes_[*found].known) return {*found, backed_off + nodes_[*found].weight};
      // An n-gram listed only as a context: it is the next state, but a shorter context has to score it.
      for (uint32_t shorter = context; shorter != 0;) {
        backed_off += nodes_[shorter].backoff;
        shorter = nodes_[shorter].shorter;
        const uint32_t* other = child(shorter, token);
        if (other && nodes_[*other].known) return {*found, backed_off + nodes_[*other].weight};
      }
      return {*found, backed_off + unknown_};
    }
    if (context == 0) return {0, backoff_ ? backed_off + unknown_ : 0.0f};
    backed_off += nodes_[context].backoff;
  }
}

TokenWeights::Step TokenWeights::least_step(uint32_t context, int64_t given, uint32_t order) const {
  const int64_t token = known_as(given);
  if (base_) return base_->least_step(context, token, order);
  if (order > 1) return compute_least_step(context, token, order);
  if (const Step* pair = pairs_.find(key(context, token))) return *pair;
  const Step alone = walk(0, token);
  return {alone.state, context == 0 ? alone.weight : nodes_[context].backoff + alone.weight};
}

TokenWeights::Step TokenWeights::compute_least_step(uint32_t context, int64_t token, uint32_t order) const {
  // A longer context has a weight of its own, or backs off to this one, which costs no less than nothing.
  const Step found = walk(context, token);
  const uint32_t* longer = beyond_index_[order - 1].find(key(context, token));
  return {cut(found.state, order), longer ? std::min(found.weight, beyond_[order - 1][*longer]) : found.weight};
}

float TokenWeights::least(int64_t token) const {
  if (base_) return base_->least(known_as(token));
  const uint32_t* index = least_index_.find(static_cast<uint64_t>(known_as(token)));
  return index ? least_[*index] : (backoff_ ? unknown_ : 0.0f);
}

}  // namespace controldag
