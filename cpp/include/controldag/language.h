// Sums over all paths whose text satisfies the constraints: probability, samples, posteriors, lengths, n-grams.
#pragma once

#include <map>
#include <random>

#include "controldag/search_space.h"

namespace controldag {

struct Sample {
  Path path;                   // `cost` is the path's own; `objective` is minus its log-probability in the language
  std::vector<double> steps;  // the probability of each choice: every token, then the end
};

// The product of lattice and automata, laid out once. The automata are deterministic, so each lattice path is one
// product path and nothing is counted twice. Lengths may only be allowed or not (weights 1 or infinite).
class ConstrainedLanguage {
 public:
  ConstrainedLanguage(const SearchInput& input, bool track_lengths);

  double log_probability() const { return total_; }  // of the language: -inf when it is empty
  std::vector<Sample> sample(int32_t count, uint64_t seed) const;
  // By emission of the lattice: the probability that a path of the language uses it.
  std::vector<double> emission_posteriors() const;
  // By vertex: the probability that a path of the language visits it.
  std::vector<double> vertex_posteriors() const;
  // By number of tokens: its probability. Needs tracked lengths.
  std::vector<double> token_counts() const;
  // Expected counts of token n-grams of orders 1 … `order`; occurrences less likely than `least` are left out.
  std::map<TokenSequence, double> expected_ngrams(int32_t order, double least) const;
  uint64_t states() const { return nodes_.size(); }

 private:
  struct Node {
    int32_t vertex;
    uint32_t lexical, wide;
    int32_t tokens;
    uint64_t edges;  // first of its edges
    double final;    // log-weight of ending here
  };
  struct Edge {
    uint32_t to;
    int32_t emission;
    double weight;  // log-probability of transition and emission
  };
  void build();
  void check_limits(uint64_t nodes, uint64_t links);
  void solve();
  uint64_t edges_end(size_t node) const { return node + 1 < nodes_.size() ? nodes_[node + 1].edges : edges_.size(); }

  const Lattice& lattice_;
  const LengthWeights& lengths_;
  const Limits& limits_;
  bool tracked_;
  SearchSpace space_;
  MemoryMeter meter_;
  std::vector<Node> nodes_;  // in topological order; 0 is the start
  std::vector<Edge> edges_;
  std::vector<double> forward_, backward_;
  double total_ = 0;
};

}  // namespace controldag
