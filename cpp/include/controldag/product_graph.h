// The states that texts within an upper objective go through, laid out, and what the rest costs from each, exactly.
#pragma once

#include <span>
#include <vector>

#include "controldag/exact_bounds.h"
#include "controldag/length_bound.h"
#include "controldag/metered.h"

namespace controldag {

// A node is a vertex before it emits, with the states of all machines. Lengths are weighed.
class ProductGraph {
 public:
  // What the bound leaves within `upper`; its costs are worked out before the constructor returns.
  // Throws TooLarge where there are more than `most_nodes`.
  ProductGraph(SearchSpace& space, ExactBounds& bounds, const LengthBound& bound, double upper, uint64_t most_nodes,
               MemoryMeter& meter);
  ProductGraph(const ProductGraph&) = delete;
  ProductGraph& operator=(const ProductGraph&) = delete;

  struct Edge {
    int32_t emission;
    uint32_t to;     // a node, or kEnd
    float cost;      // of the token and of the arc after it
    float penalty;   // that a text which ends there could have avoided, as far as the bound counts it
  };
  static constexpr uint32_t kEnd = UINT32_MAX;
  struct Start {
    uint32_t node;
    float cost;
  };
  const std::vector<Start>& starts() const { return starts_; }
  std::span<const Edge> edges(uint32_t node) const {
    return {edges_.data() + nodes_[node].edges, nodes_[node].edge_count};
  }
  uint32_t nodes() const { return static_cast<uint32_t>(nodes_.size()); }
  // Whether a state was left out because of the upper objective.
  bool cut() const { return cut_; }
  // By number of tokens to come: the least cost of going on from the node to an end, but for the penalty that no text avoids.
  LengthBound::Ahead rest(uint32_t node) const {
    const Node& here = nodes_[node];
    return {rest_.data() + here.rest, here.rest_first, here.rest_end};
  }
  // The penalty of a text that ends by this edge of the node.
  double penalty(uint32_t node, const Edge& edge);

 private:
  struct Node {
    int32_t vertex;
    uint32_t lexical, wide;
    uint32_t row, place;  // of the bound
    uint32_t next;        // of the same vertex
    uint32_t edge_count;
    size_t edges;
    size_t so_far;                 // costs by number of tokens before, among those of its vertex
    int32_t rest_first, rest_end;  // tokens that can be to come
    size_t rest;
  };
  // Costs of prefixes of one node, by their number of tokens, `first` and on.
  struct SoFar {
    const float* cost;
    int32_t first, end;
  };
  uint32_t node_at(const Node& wanted);
  void expand(uint32_t node);
  SoFar so_far(const Node& node) const;
  static bool within(const SoFar& from, float cost, const float* allowed);
  static void relax(float* to, const SoFar& from, float cost, const float* allowed);
  void end(const SoFar& from, Edge edge, uint32_t lexical, uint32_t wide);
  void solve_rest();
  // By number of tokens before it: the most that they may have cost.
  const float* allowed(int32_t vertex, uint32_t row, uint32_t place);

  SearchSpace& space_;
  const Lattice& lattice_;
  const LexicalBound& rows_;
  const LengthBound& bound_;
  MemoryMeter& meter_;
  const uint64_t most_nodes_;
  const int32_t lengths_;     // numbers of tokens that are allowed, 0 among them
  std::vector<double> most_;  // by number of tokens: what a text may cost
  int32_t shortest_, longest_;  // numbers of tokens with which a text can be within the upper objective
  std::vector<Node> nodes_;
  FlatMap ids_{1024};
  std::vector<uint32_t> head_;  // by vertex: its latest node
  std::vector<std::vector<float>> so_far_;  // by vertex, until it is expanded
  std::vector<float> rest_;
  FlatMap allowed_at_{1024};  // by row and place
  std::vector<float> allowed_;
  std::vector<Edge> edges_;
  std::vector<Start> starts_;
  bool cut_ = false;
};

}  // namespace controldag
