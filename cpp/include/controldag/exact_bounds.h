// The reward per token, and with it the lexical bound and the budget that an objective leaves: what the exact
// searches prune by.
#pragma once

#include "controldag/search_space.h"

namespace controldag {

class ExactBounds {
 public:
  explicit ExactBounds(SearchSpace& space);
  bool feasible() const { return lexical_.total() < kInfinity; }
  const LexicalBound& lexical() const { return lexical_; }
  LexicalBound& lexical() { return lexical_; }
  float reward() const { return reward_; }

  // The text of least cost - reward * tokens; the bound is sharpened where that takes long to find.
  std::optional<Path> best(SearchStats& stats);
  // `path` has the least cost - reward * tokens of all texts: from now on that bounds every length.
  void add_line(const Path& path);
  // The most that cost - reward * tokens of a text with an objective of at most `upper` can be, the unavoidable
  // penalty left out.
  float budget(double upper) const;
  // By number of tokens: the most that such a text may cost, the unavoidable penalty left out; -inf where none is as good.
  std::vector<double> budgets(double upper) const;
  // The fewest and the most tokens with which a text can have an objective of at most `upper`.
  std::pair<int32_t, int32_t> useful_tokens(double upper) const;
  // How far that is above `relative`, the least there is.
  double gap(double upper, double relative) const;
  // The number of tokens at which a better objective than that of `best` is likeliest; -1 when no length allows one.
  int32_t promising_tokens(const Path& best) const;
  // A path's objective: its cost (gains of n-grams taken off) times its length weight.
  double objective(const Path& path) const;
  // Sets cost and objective of a path whose plain cost is known.
  void score(Path& path) const;
  double relative_cost(const Path& path) const {
    return path.cost - static_cast<double>(reward_) * static_cast<double>(path.vertices.size());
  }
  void set_reward(float reward) { lexical_.solve(reward_ = reward); }

 private:
  struct Line {  // cost >= relative + reward * tokens
    double relative;
    float reward;
  };
  double weight_of(const Path& path) const;
  double least_cost(int32_t tokens) const;
  float length_reward(double extra) const;
  double excess() const;

  SearchSpace& space_;
  LexicalBound lexical_;
  float reward_ = 0;
  bool sharpened_ = false;
  std::vector<Line> lines_;
};

}  // namespace controldag
