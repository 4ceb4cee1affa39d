#include "controldag/language.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "controldag/error.h"

namespace controldag {
namespace {

constexpr uint64_t kBetweenLooks = 8192;  // of links
constexpr double kZero = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kZero ? a : a + std::log1p(std::exp(b - a));
}

struct NodeKey {
  uint64_t product;
  int32_t tokens;
  bool operator==(const NodeKey&) const = default;
};

struct NodeKeyHash {
  size_t operator()(const NodeKey& key) const {
    const uint64_t h = (key.product ^ (static_cast<uint64_t>(key.tokens) << 40)) * 0x9E3779B97F4A7C15ull;
    return static_cast<size_t>(h ^ (h >> 32));
  }
};

}  // namespace

ConstrainedLanguage::ConstrainedLanguage(const SearchInput& input, bool track_lengths)
    : lattice_(input.lattice), lengths_(input.lengths), limits_(input.limits),
      tracked_(track_lengths || input.lengths.tracked()), space_(input), meter_(input.limits) {
  if (input.weights) throw InvalidArgument("weights", "not be given for sums over a language", "n-gram weights");
  for (double weight : lengths_.weight)
    if (weight != 1.0 && std::isfinite(weight))
      throw InvalidArgument("length", "only allow or forbid lengths where probabilities are summed",
                            "a preference (target or normalisation)");
  build();
  solve();
}

void ConstrainedLanguage::build() {
  LexicalBound bound(space_);
  bound.solve(0);  // finite where the lexical constraints can still be satisfied
  const int32_t longest = lengths_.tracked() ? lengths_.max_tokens(lattice_) : lattice_.vertices();
  std::vector<std::vector<Node>> layers(lattice_.vertices());  // by vertex, before they are numbered
  std::unordered_map<NodeKey, uint32_t, NodeKeyHash> ids;      // index within the vertex's layer
  std::vector<uint32_t> layer_begin(lattice_.vertices() + 1, 0);
  struct Link {
    uint32_t from_layer_index, to_layer_index;
    int32_t to_vertex, emission;
    double weight;
  };
  layers[0].push_back({0, 0, 0, 0, 0, kZero});
  std::vector<std::vector<Link>> links(lattice_.vertices());
  uint64_t total_nodes = 1, total_links = 0, next_look = 0;
  for (int32_t v = 0; v < lattice_.last(); ++v) {
    for (uint32_t i = 0; i < layers[v].size(); ++i) {
      const Node node = layers[v][i];
      for (int32_t a = lattice_.arc_begin[v]; a < lattice_.arc_begin[v + 1]; ++a) {
        limits_.spend(8);
        if (total_links >= next_look) {
          check_limits(total_nodes, total_links);
          next_look = total_links + kBetweenLooks;
        }
        const int32_t to = lattice_.arc_to[a];
        const double arc = -static_cast<double>(lattice_.arc_cost[a]);
        if (to == lattice_.last()) {
          if (v > 0 && std::isfinite(tracked_ ? lengths_.of_tokens(node.tokens) : 1.0) &&
              space_.accepts(node.lexical, node.wide))
            layers[v][i].final = arc - space_.penalty(node.lexical, node.wide);
          continue;
        }
        if (bound.remaining(to, node.lexical, node.wide) == kInfinity || node.tokens >= longest) continue;
        for (int32_t e = lattice_.emit_begin[to]; e < lattice_.emit_begin[to + 1]; ++e) {
          const uint32_t token = lattice_.emit_token[e];
          const uint32_t wide = space_.wide.step(node.wide, token);
          if (space_.dead_wide(wide)) continue;
          const uint32_t lexical = space_.lexical.step(node.lexical, token);
          const int32_t tokens = tracked_ ? node.tokens + 1 : 0;
          const auto [found, added] =
              ids.emplace(NodeKey{product_key(to, lexical, wide), tokens}, static_cast<uint32_t>(layers[to].size()));
          if (added) {
            layers[to].push_back({to, lexical, wide, tokens, 0, kZero});
            ++total_nodes;
          }
          links[v].push_back({i, found->second, to, e, arc - static_cast<double>(lattice_.emit_cost[e])});
          ++total_links;
        }
      }
    }
    check_limits(total_nodes, total_links);
  }
  for (int32_t v = 0; v < lattice_.vertices(); ++v)
    layer_begin[v + 1] = layer_begin[v] + static_cast<uint32_t>(layers[v].size());
  nodes_.reserve(total_nodes);
  edges_.reserve(total_links);
  for (int32_t v = 0; v < lattice_.vertices(); ++v) {
    size_t at = 0;  // links are grouped by the node they leave
    for (uint32_t i = 0; i < layers[v].size(); ++i) {
      nodes_.push_back(layers[v][i]);
      nodes_.back().edges = edges_.size();
      for (; at < links[v].size() && links[v][at].from_layer_index == i; ++at)
        edges_.push_back({layer_begin[links[v][at].to_vertex] + links[v][at].to_layer_index, links[v][at].emission,
                          links[v][at].weight});
    }
    layers[v].clear();
  }
}

void ConstrainedLanguage::check_limits(uint64_t nodes, uint64_t links) {
  limits_.check_time();
  if (nodes > limits_.max_states) throw TooLarge("The number of search states", nodes, limits_.max_states);
  // A link stands there twice when they are put in order, in vectors that grew to up to twice their size.
  const uint64_t bytes = nodes * (2 * sizeof(Node) + 80) + links * (2 * 32 + sizeof(Edge));
  if (bytes > meter_.used()) meter_.take(bytes - meter_.used());
}

void ConstrainedLanguage::solve() {
  backward_.assign(nodes_.size(), kZero);
  forward_.assign(nodes_.size(), kZero);
  for (size_t n = nodes_.size(); n-- > 0;) {
    if (n % 4096 == 0) limits_.check_time();
    double sum = nodes_[n].final;
    for (uint64_t e = nodes_[n].edges; e < edges_end(n); ++e)
      sum = log_add(sum, edges_[e].weight + backward_[edges_[e].to]);
    backward_[n] = sum;
  }
  forward_[0] = 0;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (n % 4096 == 0) limits_.check_time();
    for (uint64_t e = nodes_[n].edges; e < edges_end(n); ++e)
      forward_[edges_[e].to] = log_add(forward_[edges_[e].to], forward_[n] + edges_[e].weight);
  }
  total_ = backward_[0];
}

std::vector<Sample> ConstrainedLanguage::sample(int32_t count, uint64_t seed) const {
  std::vector<Sample> samples;
  if (total_ == kZero) return samples;
  std::mt19937_64 random(seed);
  for (int32_t i = 0; i < count; ++i) {
    Sample sample;
    size_t node = 0;
    for (bool more = true; more;) {
      // Where in [0, 1) of this node's remaining mass the choice falls; the same on every machine.
      const double where = static_cast<double>(random() >> 11) * 0x1.0p-53;
      double passed = std::exp(nodes_[node].final - backward_[node]);
      more = false;
      if (where < passed || nodes_[node].edges == edges_end(node)) {
        sample.steps.push_back(passed);
        break;
      }
      size_t chosen = node;
      double probability = 0;
      for (uint64_t e = nodes_[node].edges; e < edges_end(node); ++e) {
        const double share = std::exp(edges_[e].weight + backward_[edges_[e].to] - backward_[node]);
        if (share <= 0) continue;
        chosen = e;
        probability = share;
        more = true;
        passed += share;
        if (where < passed) break;
      }
      if (!more) {  // rounding left a sliver past the last choice, and ending is the only one
        sample.steps.push_back(passed);
        break;
      }
      sample.steps.push_back(probability);
      sample.path.emissions.push_back(edges_[chosen].emission);
      node = edges_[chosen].to;
      sample.path.vertices.push_back(nodes_[node].vertex);
    }
    sample.path.penalty = space_.penalty(nodes_[node].lexical, nodes_[node].wide);
    sample.path.cost = path_cost(lattice_, sample.path);
    sample.path.objective = sample.path.cost + total_;
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<double> ConstrainedLanguage::emission_posteriors() const {
  std::vector<double> posterior(lattice_.emit_token.size(), 0);
  if (total_ == kZero) return posterior;
  for (size_t n = 0; n < nodes_.size(); ++n)
    for (uint64_t e = nodes_[n].edges; e < edges_end(n); ++e)
      posterior[edges_[e].emission] += std::exp(forward_[n] + edges_[e].weight + backward_[edges_[e].to] - total_);
  return posterior;
}

std::vector<double> ConstrainedLanguage::vertex_posteriors() const {
  std::vector<double> posterior(lattice_.vertices(), 0);
  if (total_ == kZero) return posterior;
  for (size_t n = 0; n < nodes_.size(); ++n)
    posterior[nodes_[n].vertex] += std::exp(forward_[n] + backward_[n] - total_);
  posterior.back() = 1;
  return posterior;
}

std::vector<double> ConstrainedLanguage::token_counts() const {
  if (!tracked_) throw InvalidArgument("track_lengths", "be set to ask for lengths", "not set");
  std::vector<double> counts(lattice_.vertices(), 0);
  if (total_ == kZero) return counts;
  for (size_t n = 0; n < nodes_.size(); ++n)
    if (nodes_[n].final != kZero) counts[nodes_[n].tokens] += std::exp(forward_[n] + nodes_[n].final - total_);
  return counts;
}

std::map<TokenSequence, double> ConstrainedLanguage::expected_ngrams(int32_t order, double least) const {
  if (order < 1 || order > 8) throw InvalidArgument("order", "be between 1 and 8", std::to_string(order));
  std::map<TokenSequence, double> counts;
  if (total_ == kZero) return counts;
  struct Walk {
    uint32_t node;
    uint64_t edge;
    double weight;  // log-probability of reaching this node along the n-gram
  };
  const uint64_t max_work = limits_.max_states * 16;
  uint64_t work = 0;
  std::vector<Walk> walk;
  TokenSequence tokens;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (forward_[n] + backward_[n] == kZero) continue;
    walk.assign(1, {static_cast<uint32_t>(n), nodes_[n].edges, forward_[n]});
    tokens.clear();
    while (!walk.empty()) {
      Walk& top = walk.back();
      if (top.edge == edges_end(top.node) || walk.size() > static_cast<size_t>(order)) {
        walk.pop_back();
        if (!tokens.empty()) tokens.pop_back();
        continue;
      }
      const Edge& edge = edges_[top.edge++];
      const double weight = top.weight + edge.weight;
      const double posterior = std::exp(weight + backward_[edge.to] - total_);
      if (posterior <= least || posterior <= 0) continue;
      if (++work > max_work) throw TooLarge("The number of n-gram occurrences", work, max_work);
      tokens.push_back(lattice_.token_id[lattice_.emit_token[edge.emission]]);
      counts[tokens] += posterior;
      if (counts.size() * 64 > limits_.max_bytes)
        throw TooLarge("The memory of the search in bytes", counts.size() * 64, limits_.max_bytes);
      walk.push_back({edge.to, nodes_[edge.to].edges, weight});
    }
  }
  return counts;
}

}  // namespace controldag
