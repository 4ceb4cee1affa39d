#include "controldag/best_first.h"

#include <algorithm>
#include <cmath>

#include "controldag/error.h"
#include "controldag/metered.h"

namespace controldag {
namespace {

struct Node {
  int32_t vertex;
  uint32_t lexical, wide;
  uint32_t parent;
  int32_t emission;  // of this vertex's predecessor: the token that led here
  float cost;        // cost - reward * tokens so far
  uint32_t row;      // of the bound
};

struct Entry {
  float estimate;
  float cost;  // of the node when it was queued: an entry with an outdated cost is passed over
  uint32_t node;
  bool operator<(const Entry& other) const {
    // The queue gives the greatest first; ties go to the older node, so that results do not depend on the heap.
    return estimate != other.estimate ? estimate > other.estimate : node > other.node;
  }
};

// Nodes expanded between two looks at the clock: well under a millisecond.
constexpr uint32_t kBetweenLooks = 64;
// Sums in single precision of the same costs in another order differ by less.
constexpr float kMargin = 1e-4f;

// Keeps its memory from one search of a thread to the next, but for that of a long one.
struct Workspace {
  std::vector<Node> nodes;
  std::vector<Entry> heap;
  FlatMap ids{1024};
};

struct Borrowed {
  Workspace& workspace;
  ~Borrowed() {
    if (workspace.nodes.capacity() + workspace.heap.capacity() > (size_t{1} << 17)) workspace = Workspace();
  }
};

class BestFirst {
 public:
  BestFirst(SearchSpace& space, const LexicalBound& bound, float reward, Workspace& workspace)
      : space_(space), lattice_(space.lattice), bound_(bound), reward_(reward), nodes_(workspace.nodes),
        queue_(workspace.heap), ids_(workspace.ids), meter_(space.input.limits) {
    nodes_.clear();
    queue_.clear();
    ids_.clear();
  }

  std::optional<Path> run(SearchStats& stats, bool* gave_up) {
    if (bound_.total() == kInfinity) return std::nullopt;
    nodes_.push_back({0, 0, 0, 0, -1, 0, 0});
    if (bound_.by_context()) {
      if (const float cost = dive(); cost < kInfinity) most_ = cost + kMargin * (1 + std::abs(cost));
    }
    expand_arcs({0, 0, 0, -1, 0, 0, 0});
    bool broken_off = false;
    while (!queue_.empty() && queue_.front().estimate < goal_cost_) {
      const Entry top = queue_.front();
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      if (gave_up && nodes_.size() > space_.input.limits.sharpen_after) {
        *gave_up = broken_off = true;
        break;
      }
      if (top.cost > nodes_[top.node].cost) continue;
      expand(top.node);
    }
    stats.states += nodes_.size();
    if (broken_off || !(goal_cost_ < std::numeric_limits<double>::infinity())) return std::nullopt;
    return trace();
  }

 private:
  struct Emitted {
    int32_t vertex;
    uint32_t lexical, wide;
    int32_t emission;
    uint32_t turn, parent;
    float cost;
  };

  // Calls `emitted` for each token with which a node can go on.
  template <typename Visit>
  void each_emission(const Node& node, uint32_t index, Visit&& emitted) {
    for (int32_t e = lattice_.emit_begin[node.vertex]; e < lattice_.emit_begin[node.vertex + 1]; ++e) {
      const uint32_t turn = bound_.turn(node.vertex, node.row, e);
      if (turn == LexicalBound::kNoTurn) continue;
      const uint32_t token = lattice_.emit_token[e];
      const uint32_t lexical = space_.lexical.step(node.lexical, token);
      // What cannot be within the bound is not even looked up in the wide machines.
      if (bound_.by_context()) {
        const float onward = bound_.floor(node.vertex, node.row, e) - reward_ + bound_.after(node.vertex, turn, lexical);
        if (!(node.cost + onward < most_)) continue;
      }
      const uint32_t wide = space_.wide.step(node.wide, token);
      if (space_.dead_wide(wide)) continue;
      const float cost = node.cost + space_.emission_cost(e, node.wide) - reward_;
      emitted(Emitted{node.vertex, lexical, wide, e, turn, index, cost});
    }
  }

  // Calls `arrive` with each node that an arc leads to and its estimate, `end` with the cost of each arc that ends there.
  template <typename Arrive, typename End>
  void each_arc(const Emitted& from, Arrive&& arrive, End&& end) {
    const uint32_t place = bound_.place(from.vertex, from.turn, from.lexical);
    if (place == LexicalBound::kNowhere) return;
    space_.input.limits.spend(8 * static_cast<uint64_t>(lattice_.arc_begin[from.vertex + 1] - lattice_.arc_begin[from.vertex]));
    for (int32_t a = lattice_.arc_begin[from.vertex]; a < lattice_.arc_begin[from.vertex + 1]; ++a) {
      const int32_t to = lattice_.arc_to[a];
      const float there = from.cost + lattice_.arc_cost[a];
      if (to == lattice_.last()) {
        if (from.vertex > 0) end(there);
        continue;
      }
      const uint32_t row = bound_.row_after(from.vertex, from.turn, a);
      const float estimate = there + bound_.at(row, place);
      if (estimate < most_) arrive(Node{to, from.lexical, from.wide, from.parent, from.emission, there, row}, estimate);
    }
  }

  // What some text costs: the one that always goes where least is estimated. Nothing dearer need be looked at.
  float dive() {
    Node here{};
    const Emitted start{0, 0, 0, -1, 0, 0, 0};
    for (bool begun = false;; begun = true) {
      float least = kInfinity, least_end = kInfinity;
      Node next{};
      const auto follow = [&](const Emitted& emitted) {
        each_arc(
            emitted,
            [&](const Node& node, float estimate) {
              if (estimate < least) least = estimate, next = node;
            },
            [&](float cost) {
              if (cost < least_end && space_.accepts(emitted.lexical, emitted.wide))
                least_end = std::min(least_end, static_cast<float>(cost + avoidable(emitted.lexical, emitted.wide)));
            });
      };
      if (begun) {
        each_emission(here, 0, follow);
      } else {
        follow(start);
      }
      if (least_end <= least) return least_end;
      here = next;
    }
  }

  void expand(uint32_t index) {
    if (expanded_++ % kBetweenLooks == 0) space_.input.limits.check_time();
    const Node node = nodes_[index];
    each_emission(node, index, [&](const Emitted& emitted) { expand_arcs(emitted); });
  }

  void expand_arcs(const Emitted& emitted) {
    each_arc(
        emitted, [&](const Node& node, float estimate) { offer(node, estimate); },
        [&](float cost) { offer_goal(cost, emitted.lexical, emitted.wide, emitted.emission, emitted.parent); });
  }

  void offer(const Node& node, float estimate) {
    bool added = false;
    const uint64_t key = product_key(node.vertex, node.lexical, node.wide);
    const uint32_t index = ids_.at(key, static_cast<uint32_t>(nodes_.size()), added);
    if (added) {
      meter_.push(nodes_, nodes_room_, node, MemoryMeter::kMapped);
      if (nodes_.size() > space_.input.limits.max_states)
        throw TooLarge("The number of search states", nodes_.size(), space_.input.limits.max_states);
    } else if (node.cost < nodes_[index].cost) {
      nodes_[index].cost = node.cost;
      nodes_[index].parent = node.parent;
      nodes_[index].emission = node.emission;
    } else {
      return;
    }
    push({estimate, node.cost, index});
  }

  void offer_goal(float cost, uint32_t lexical, uint32_t wide, int32_t emission, uint32_t parent) {
    if (cost >= goal_cost_ || !space_.accepts(lexical, wide)) return;
    const double total = cost + avoidable(lexical, wide);
    if (total >= goal_cost_) return;
    goal_cost_ = total;
    most_ = std::min(most_, std::nextafter(static_cast<float>(total), kInfinity));
    goal_penalty_ = space_.penalty(lexical, wide);
    goal_emission_ = emission;
    goal_parent_ = parent;
  }

  // What a text that ends here costs beyond its path, less what no text can avoid: the bound leaves that out too.
  double avoidable(uint32_t lexical, uint32_t wide) const {
    return space_.penalty(lexical, wide) - space_.closure.unavoidable_penalty();
  }

  void push(Entry entry) {
    meter_.push(queue_, queue_room_, entry);
    std::push_heap(queue_.begin(), queue_.end());
  }

  Path trace() const {
    Path path;
    path.penalty = goal_penalty_;
    int32_t emission = goal_emission_;
    for (uint32_t index = goal_parent_; index != 0; index = nodes_[index].parent) {
      path.vertices.push_back(nodes_[index].vertex);
      path.emissions.push_back(emission);
      emission = nodes_[index].emission;
    }
    std::reverse(path.vertices.begin(), path.vertices.end());
    std::reverse(path.emissions.begin(), path.emissions.end());
    path.cost = path_cost(lattice_, path);
    return path;
  }

  SearchSpace& space_;
  const Lattice& lattice_;
  const LexicalBound& bound_;
  const float reward_;
  std::vector<Node>& nodes_;
  std::vector<Entry>& queue_;  // a binary heap
  FlatMap& ids_;
  MemoryMeter meter_;
  size_t nodes_room_ = 0, queue_room_ = 0;
  uint32_t expanded_ = 0;
  // In double precision: a large penalty must not swallow what paths cost.
  double goal_cost_ = std::numeric_limits<double>::infinity();
  float most_ = kInfinity;  // no text whose estimate is as high is wanted
  double goal_penalty_ = 0;
  int32_t goal_emission_ = -1;
  uint32_t goal_parent_ = 0;
};

}  // namespace

std::optional<Path> best_first(SearchSpace& space, const LexicalBound& bound, float reward, SearchStats& stats,
                               bool* gave_up) {
  thread_local Workspace workspace;
  const Borrowed borrowed{workspace};
  return BestFirst(space, bound, reward, workspace).run(stats, gave_up);
}

}  // namespace controldag
