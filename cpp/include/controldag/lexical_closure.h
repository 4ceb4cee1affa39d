// All states that the lexical machines can reach together, with tokens that they cannot tell apart in one class.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "controldag/flat_map.h"
#include "controldag/lattice.h"
#include "controldag/metered.h"
#include "controldag/program.h"

namespace controldag {

// One lexical machine's steps between its token-level states.
struct MachineTable {
  size_t machine = 0;                 // its place in the program
  std::vector<uint32_t> states;       // the machine's own numbers
  std::vector<uint32_t> next;         // states × classes: index into `states`
  std::vector<uint32_t> class_of;     // by token
  std::vector<uint32_t> after_first;  // by token: index into `states`
  uint32_t classes = 0;
  std::unordered_map<uint32_t, uint32_t> index;
};

class LexicalClosure {
 public:
  // Closures that cover all lexical machines between them, but for those that are too large alone: each is a
  // relaxation. Most often it is one.
  static std::vector<LexicalClosure> all(const Lattice& lattice, const Program& program);

  struct Move {
    uint32_t token_class, next;
  };
  size_t states() const { return first_move_.size() - 1; }
  size_t classes() const { return classes_; }
  size_t moves() const { return moves_.size(); }  // that are listed, of all states
  uint32_t class_of(int32_t token) const { return class_of_[token]; }
  // Where a state goes with the classes listed, and (`rest`) with every other class.
  const Move* moves_begin(uint32_t state) const { return moves_.data() + first_move_[state]; }
  const Move* moves_end(uint32_t state) const { return moves_.data() + first_move_[state + 1]; }
  uint32_t rest(uint32_t state) const { return rest_[state]; }
  bool listed(uint32_t state, uint32_t token_class) const {
    return listed_[size_t{state} * words_ + token_class / 64] >> (token_class % 64) & 1;
  }
  bool hopeless(uint32_t state) const { return hopeless_[state]; }
  bool may_end(uint32_t state) const { return may_end_[state]; }
  // No text costs less than this for the soft constraints it violates; told by the first closure alone.
  double unavoidable_penalty() const { return unavoidable_; }
  // What a text that ends here costs at least beyond that, as far as single precision can add it to costs of paths.
  float end_penalty(uint32_t state) const {
    return static_cast<float>(std::min(end_penalty_[state] - unavoidable_, kMostAddedPenalty));
  }
  // The state after the first token of a text.
  uint32_t after_first(int32_t token) const { return after_first_[token]; }
  // The number here of a product state; `parts` are its machines' states.
  uint32_t number(const uint32_t* parts, uint32_t product_state) const {
    if (product_state < numbers_.size() && numbers_[product_state] != kUnknown) return numbers_[product_state];
    return find(parts, product_state);
  }
  static constexpr uint32_t kStart = 0;  // nothing read yet

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;
  static constexpr double kMostAddedPenalty = 64;
  // Takes from the front of `waiting` as many tables as have few enough joint states.
  LexicalClosure(const Lattice& lattice, const Program& program, std::vector<MachineTable>& waiting);
  bool close(const Program& program, const Lattice& lattice, const std::vector<MachineTable>& tables, size_t count);
  uint32_t intern(const uint32_t* tuple);
  void find_unavoidable();
  uint32_t find(const uint32_t* parts, uint32_t product_state) const;

  MemoryMeter meter_;
  std::vector<MachineTable> tables_;
  size_t width_ = 0, classes_ = 0, words_ = 0;
  uint32_t count_ = 0;  // of joint states
  std::vector<uint32_t> class_of_, after_first_, tuples_, buckets_;
  std::vector<Move> moves_;
  std::vector<uint64_t> first_move_;
  std::vector<uint32_t> rest_;
  std::vector<uint64_t> listed_;
  std::vector<uint8_t> hopeless_, may_end_;
  std::vector<double> end_penalty_;
  double unavoidable_ = 0;
  mutable std::vector<uint32_t> numbers_;
};

}  // namespace controldag
