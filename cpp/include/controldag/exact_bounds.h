// The reward per token, and with it the lexical bound and the budget that an objective leaves: what the exact
// searches prune by.
#pragma once

#include "controldag/best_first.h"

namespace controldag {

class ExactBounds {
 public:
  explicit ExactBounds(SearchSpace& space);
  bool feasible() const { return lexical_.total() < kInfinity; }
  const LexicalBound& lexical() const { return lexical_; }
  float reward() const { return reward_; }

  // The most that cost - reward * tokens of a text with an objective of at most `upper` can be.
  float budget(double upper) const;
  // A path's objective: its cost (gains of n-grams taken off) times its length weight.
  double objective(const Path& path) const;
  // Sets cost and objective of a path whose plain cost is known.
  void score(Path& path) const;
  // `path` has the least cost - reward * tokens of all texts: can no other length give a better objective?
  bool is_best(const Path& path) const;

 private:
  float length_reward(double extra) const;
  double excess() const;

  SearchSpace& space_;
  LexicalBound lexical_;
  float reward_ = 0;
};

}  // namespace controldag
