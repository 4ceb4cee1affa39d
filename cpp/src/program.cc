#include "controldag/program.h"

#include <algorithm>
#include <numeric>

#include "controldag/error.h"
#include "controldag/remembered.h"

namespace controldag {
namespace {

using Kind = ConstraintNode::Kind;

Truth truth_of(Verdict verdict) {
  return verdict == Verdict::kDead ? Truth::kFalse : verdict == Verdict::kForever ? Truth::kTrue : Truth::kOpen;
}

bool is_own(const ConstraintNode& node) { return node.kind == Kind::kPhrase && node.phrase.own; }

// Texts that are not empty: one leading blank is no text yet.
class NonEmptyMachine final : public Machine {
 public:
  explicit NonEmptyMachine(const Lattice& lattice) : lattice_(lattice) {}
  uint32_t start() override { return 0; }
  uint32_t step(uint32_t, uint32_t token, bool first) override { return first && lattice_.surface[token] == " " ? 1 : 2; }
  bool accepts(uint32_t state) override { return state == 2; }
  Verdict verdict(uint32_t state) override { return state == 2 ? Verdict::kForever : Verdict::kOpen; }

 private:
  const Lattice& lattice_;
};

}  // namespace

Program::Program(const std::vector<Constraint>& conjuncts, const Lattice& lattice, const Limits& limits)
    : lattice_(lattice), limits_(limits) {
  refuse_none(conjuncts);
  std::vector<const ConstraintNode*> own;
  for (const Constraint& member : conjuncts) {
    if (member->kind == Kind::kSoft) {
      Formula formula;
      add(member->children[0], formula);
      soft_.push_back({std::move(formula), member->penalty});
    } else if (is_own(*member)) {
      own.push_back(member.get());
    } else {
      Formula formula;
      add(member, formula);
      hard_.push_back(std::move(formula));
    }
  }
  for (int32_t each : own_occurrences(own)) hard_.push_back({{each}});
  if (std::find(lattice.surface.begin(), lattice.surface.end(), " ") != lattice.surface.end())
    hard_.push_back({{operand(std::make_unique<NonEmptyMachine>(lattice), true)}});
}

int32_t Program::operand(std::unique_ptr<Machine> machine, bool is_lexical) {
  if (static_cast<int64_t>(operands_.size()) >= kMaxMachines)
    throw TooLarge("The number of constraints in one search", operands_.size() + 1, kMaxMachines);
  auto& group = is_lexical ? lexical : wide;
  operands_.push_back({is_lexical, static_cast<uint32_t>(group.size())});
  group.push_back(std::move(machine));
  return static_cast<int32_t>(operands_.size()) - 1;
}

void Program::add(const Constraint& node, Formula& formula) {
  auto& out = formula.postfix;
  switch (node->kind) {
    case Kind::kPhrase:
    case Kind::kNfa:
      out.push_back(operand(std::make_unique<LazyDfa>(*node->nfa, lattice_, limits_), true));
      break;
    case Kind::kVocabulary:
      out.push_back(operand(std::make_unique<RememberedMachine>(
                                std::make_unique<VocabularyMachine>(*node->vocabulary, lattice_, limits_), limits_),
                            false));
      break;
    case Kind::kTokenPhrase:
      out.push_back(operand(std::make_unique<TokenPhraseMachine>(node->tokens, lattice_), true));
      break;
    case Kind::kTokenVocabulary:
      out.push_back(operand(
          std::make_unique<TokenVocabularyMachine>(*node->token_vocabulary, lattice_, limits_), false));
      break;
    case Kind::kNot:
      add(node->children[0], formula);
      out.push_back(Formula::kNot);
      break;
    case Kind::kAnd:
      add_conjunction(conjuncts(node), formula);
      break;
    case Kind::kOr:
      for (size_t i = 0; i < node->children.size(); ++i) {
        add(node->children[i], formula);
        if (i > 0) out.push_back(Formula::kOr);
      }
      break;
    case Kind::kSoft:
      throw InvalidArgument("soft constraint", "stand at the top of a conjunction", node->label);
  }
}

void Program::add_conjunction(const std::vector<Constraint>& members, Formula& formula) {
  bool first = true;
  const auto join = [&] {
    if (!first) formula.postfix.push_back(Formula::kAnd);
    first = false;
  };
  std::vector<const ConstraintNode*> own;
  for (const Constraint& member : members) {
    if (is_own(*member)) {
      own.push_back(member.get());
    } else {
      add(member, formula);
      join();
    }
  }
  for (int32_t each : own_occurrences(own)) {
    formula.postfix.push_back(each);
    join();
  }
}

// Own-occurrence phrases that can overlap share one machine; the others are independent of each other.
std::vector<int32_t> Program::own_occurrences(const std::vector<const ConstraintNode*>& leaves) {
  std::vector<Phrase> phrases;
  for (const ConstraintNode* node : leaves)
    for (const auto& stage : node->phrase.stages) phrases.push_back(stage[0]);
  std::vector<size_t> group(phrases.size());
  std::iota(group.begin(), group.end(), size_t{0});
  for (size_t i = 0; i < phrases.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (group[i] != group[j] && can_overlap(phrases[i], phrases[j]))
        std::replace(group.begin(), group.end(), std::max(group[i], group[j]), std::min(group[i], group[j]));
  std::vector<int32_t> machines;
  for (size_t g = 0; g < phrases.size(); ++g) {
    std::vector<Phrase> members;
    for (size_t i = 0; i < phrases.size(); ++i)
      if (group[i] == g) members.push_back(phrases[i]);
    if (members.empty()) continue;
    owned_.push_back(std::make_shared<CompiledNfa>(members.size() == 1 ? sequence_nfa({members})
                                                                       : own_occurrences_nfa(members)));
    machines.push_back(operand(std::make_unique<LazyDfa>(*owned_.back(), lattice_, limits_), true));
  }
  return machines;
}

template <typename Leaf>
Truth Program::evaluate(const Formula& formula, Leaf&& leaf) const {
  if (formula.postfix.size() == 1) return leaf(operands_[formula.postfix[0]]);
  std::vector<Truth> stack;
  for (int32_t item : formula.postfix) {
    if (item >= 0) {
      stack.push_back(leaf(operands_[item]));
    } else if (item == Formula::kNot) {
      stack.back() = static_cast<Truth>(2 - static_cast<int>(stack.back()));
    } else {
      const Truth right = stack.back();
      stack.pop_back();
      stack.back() = item == Formula::kAnd ? std::min(stack.back(), right) : std::max(stack.back(), right);
    }
  }
  return stack.back();
}

bool Program::hopeless_lexical(const uint32_t* states, const uint8_t* known) const {
  for (const Formula& formula : hard_)
    if (evaluate(formula, [&](Operand o) {
          return o.lexical && known[o.index] ? truth_of(lexical[o.index]->verdict(states[o.index])) : Truth::kOpen;
        }) == Truth::kFalse)
      return true;
  return false;
}

bool Program::hopeless_wide(const uint32_t* states) const {
  for (const Formula& formula : hard_)
    if (evaluate(formula, [&](Operand o) {
          return o.lexical ? Truth::kOpen : truth_of(wide[o.index]->verdict(states[o.index]));
        }) == Truth::kFalse)
      return true;
  return false;
}

bool Program::may_accept_lexical(const uint32_t* states, const uint8_t* known) const {
  for (const Formula& formula : hard_)
    if (evaluate(formula, [&](Operand o) {
          if (!o.lexical || !known[o.index]) return Truth::kOpen;
          return lexical[o.index]->accepts(states[o.index]) ? Truth::kTrue : Truth::kFalse;
        }) == Truth::kFalse)
      return false;
  return true;
}

std::vector<uint8_t> Program::decisive_wide() const {
  std::vector<uint8_t> decisive(wide.size(), 0);
  for (const Formula& formula : hard_)
    if (formula.postfix.size() == 1 && !operands_[formula.postfix[0]].lexical)
      decisive[operands_[formula.postfix[0]].index] = 1;
  return decisive;
}

bool Program::may_accept_wide(const uint32_t* states) const {
  for (const Formula& formula : hard_)
    if (evaluate(formula, [&](Operand o) {
          if (o.lexical) return Truth::kOpen;
          return wide[o.index]->accepts(states[o.index]) ? Truth::kTrue : Truth::kFalse;
        }) == Truth::kFalse)
      return false;
  return true;
}

bool Program::accepts(const uint32_t* lexical_states, const uint32_t* wide_states) const {
  const auto leaf = [&](Operand o) {
    const bool yes = o.lexical ? lexical[o.index]->accepts(lexical_states[o.index])
                               : wide[o.index]->accepts(wide_states[o.index]);
    return yes ? Truth::kTrue : Truth::kFalse;
  };
  for (const Formula& formula : hard_)
    if (evaluate(formula, leaf) != Truth::kTrue) return false;
  return true;
}

// Whether the first lexical machine of the formula is known: so that of several groups one alone counts a penalty.
bool Program::first_known(const Formula& formula, const uint8_t* known) const {
  for (int32_t item : formula.postfix)
    if (item >= 0 && operands_[item].lexical) return known[operands_[item].index] != 0;
  return false;
}

double Program::least_penalty(const uint32_t* states, const uint8_t* known) const {
  double sum = 0;
  for (const Soft& soft : soft_)
    if (first_known(soft.formula, known) && evaluate(soft.formula, [&](Operand o) {
          if (!o.lexical || !known[o.index]) return Truth::kOpen;
          return lexical[o.index]->accepts(states[o.index]) ? Truth::kTrue : Truth::kFalse;
        }) == Truth::kFalse)
      sum += soft.penalty;
  return sum;
}

double Program::penalty(const uint32_t* lexical_states, const uint32_t* wide_states) const {
  double sum = 0;
  for (const Soft& soft : soft_) {
    const Truth truth = evaluate(soft.formula, [&](Operand o) {
      const bool yes = o.lexical ? lexical[o.index]->accepts(lexical_states[o.index])
                                 : wide[o.index]->accepts(wide_states[o.index]);
      return yes ? Truth::kTrue : Truth::kFalse;
    });
    if (truth != Truth::kTrue) sum += soft.penalty;
  }
  return sum;
}

}  // namespace controldag
