// The n best texts that a search has found so far.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <unordered_map>
#include <vector>

#include "controldag/search.h"

namespace controldag {

// Each text once; none above `upper` is wanted.
class Ranking {
 public:
  explicit Ranking(size_t n, double upper = std::numeric_limits<double>::infinity()) : n_(n), upper_(upper) {}
  bool full() const { return order_.size() >= n_; }
  double worst() const { return full() ? std::min(upper_, order_.rbegin()->first) : upper_; }
  // Whether it is among the best.
  bool add(uint64_t hash, Path path) {
    const auto known = paths_.find(hash);
    if (known != paths_.end()) {
      if (!(path.objective < known->second.second.objective)) return false;
      order_.erase({known->second.second.objective, known->second.first});
      hash_of_.erase(known->second.first);
      paths_.erase(known);
    } else if (full()) {
      if (!(path.objective < worst())) return false;
      paths_.erase(hash_of_.at(order_.rbegin()->second));
      hash_of_.erase(order_.rbegin()->second);
      order_.erase(std::prev(order_.end()));
    }
    order_.insert({path.objective, ++added_});
    hash_of_[added_] = hash;
    paths_.emplace(hash, std::pair(added_, std::move(path)));
    return true;
  }
  std::vector<Path> take() {
    std::vector<Path> found;
    for (const auto& [_, number] : order_) found.push_back(std::move(paths_.at(hash_of_.at(number)).second));
    return found;
  }

 private:
  size_t n_;
  double upper_;
  uint64_t added_ = 0;
  std::set<std::pair<double, uint64_t>> order_;  // objective, and when it came
  std::unordered_map<uint64_t, uint64_t> hash_of_;
  std::unordered_map<uint64_t, std::pair<uint64_t, Path>> paths_;
};

}  // namespace controldag
