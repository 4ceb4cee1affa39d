// A constraint made ready for one search: machines, and formulas over their verdicts.
#pragma once

#include <memory>
#include <vector>

#include "controldag/constraint.h"
#include "controldag/limits.h"

namespace controldag {

enum class Truth : int8_t { kFalse = 0, kOpen = 1, kTrue = 2 };

// A boolean formula over machines in postfix form: an operand is its index, an operator is negative.
struct Formula {
  static constexpr int32_t kAnd = -1, kOr = -2, kNot = -3;
  std::vector<int32_t> postfix;
};

class Program {
 public:
  Program(const std::vector<Constraint>& conjuncts, const Lattice& lattice, const Limits& limits);

  // Machines in two groups: `lexical` ones are few-state and enter the search's bounds, `wide` ones do not.
  std::vector<std::unique_ptr<Machine>> lexical, wide;

  // With one group's machines at the given states and the other group's unknown: is the hard part lost?
  // `known`: by lexical machine, whether its state counts.
  bool hopeless_lexical(const uint32_t* states, const uint8_t* known) const;
  bool hopeless_wide(const uint32_t* states) const;
  // The text ends here: do the hard constraints hold?
  bool accepts(const uint32_t* lexical_states, const uint32_t* wide_states) const;
  // Whether lexical states at the end leave acceptance possible (wide and unknown ones left open).
  bool may_accept_lexical(const uint32_t* states, const uint8_t* known) const;
  // The same for the wide ones, lexical ones left open.
  bool may_accept_wide(const uint32_t* states) const;
  // By wide machine: whether a text is lost as soon as this one is dead.
  std::vector<uint8_t> decisive_wide() const;
  // The sum of penalties of the soft constraints that the text, ended here, violates.
  double penalty(const uint32_t* lexical_states, const uint32_t* wide_states) const;
  // No more than that: with the lexical machines at these states; wide ones, and those that are not known, left open.
  // Groups of machines that share none may add theirs up.
  double least_penalty(const uint32_t* states, const uint8_t* known) const;
  const Limits& limits() const { return limits_; }
  bool has_soft() const { return !soft_.empty(); }

 private:
  struct Operand {
    bool lexical;
    uint32_t index;
  };
  struct Soft {
    Formula formula;
    double penalty;
  };
  void add(const Constraint& node, Formula& formula);
  void add_conjunction(const std::vector<Constraint>& members, Formula& formula);
  std::vector<int32_t> own_occurrences(const std::vector<const ConstraintNode*>& leaves);
  int32_t operand(std::unique_ptr<Machine> machine, bool lexical);
  bool first_known(const Formula& formula, const uint8_t* known) const;
  template <typename Leaf>
  Truth evaluate(const Formula& formula, Leaf&& leaf) const;

  const Lattice& lattice_;
  const Limits& limits_;  // the input's
  std::vector<Operand> operands_;
  std::vector<Formula> hard_;
  std::vector<Soft> soft_;
  std::vector<std::shared_ptr<const CompiledNfa>> owned_;
};

}  // namespace controldag
