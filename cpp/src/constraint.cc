#include "controldag/constraint.h"

#include <algorithm>
#include <sstream>

#include "controldag/error.h"
#include "controldag/limits.h"

namespace controldag {
namespace {

std::shared_ptr<ConstraintNode> leaf(ConstraintNode::Kind kind, std::string label) {
  auto node = std::make_shared<ConstraintNode>();
  node->kind = kind;
  node->label = std::move(label);
  return node;
}

void refuse_soft(const std::vector<Constraint>& children, const char* where) {
  for (const Constraint& child : children) {
    if (child->kind == ConstraintNode::Kind::kSoft)
      throw InvalidArgument("soft constraint", std::string("stand at the top of a conjunction, not under ") + where,
                            child->label);
    refuse_soft(child->children, where);
  }
}

constexpr size_t kLongLabel = 1000;  // bytes; longer names of composed constraints are cut

std::string shortened(const std::string& label) {
  if (label.size() <= kLongLabel) return label;
  size_t end = kLongLabel;
  while (end > 0 && (static_cast<uint8_t>(label[end]) & 0xC0) == 0x80) --end;  // between two characters
  return label.substr(0, end) + "…";
}

std::string joined(const std::vector<Constraint>& children, const char* operation) {
  std::string label = "(";
  for (size_t i = 0; i < children.size(); ++i) {
    if (label.size() > kLongLabel) return label + operation + "… " + std::to_string(children.size()) + " in all)";
    label += (i ? operation : "") + shortened(children[i]->label);
  }
  return label + ")";
}

// A node over others; refuses what would take no end to walk through.
std::shared_ptr<ConstraintNode> composed(ConstraintNode::Kind kind, std::vector<Constraint> children) {
  auto node = std::make_shared<ConstraintNode>();
  node->kind = kind;
  node->leaves = 0;
  for (const Constraint& child : children) {
    node->leaves += child->leaves;
    node->nesting = std::max(node->nesting, child->nesting + 1);
    if (node->leaves > kMaxLeaves)
      throw InvalidArgument("constraint", "have at most " + std::to_string(kMaxLeaves) + " leaves", "larger");
  }
  if (node->nesting > kMaxNesting)
    throw InvalidArgument("constraint", "nest `&`, `|`, `~` and soft() at most " + std::to_string(kMaxNesting) + " deep",
                          std::to_string(node->nesting) + " deep");
  node->children = std::move(children);
  return node;
}

// `a & (b & c)` is `a & b & c`: long chains are one flat node.
std::shared_ptr<ConstraintNode> flat(ConstraintNode::Kind kind, std::vector<Constraint> children, const char* operation) {
  if (children.empty()) throw InvalidArgument("constraints", "not be empty", "[]");
  refuse_none(children);
  std::vector<Constraint> members;
  for (Constraint& child : children) {
    if (child->kind == kind) {
      members.insert(members.end(), child->children.begin(), child->children.end());
    } else {
      members.push_back(std::move(child));
    }
    if (members.size() > kMaxLeaves)
      throw InvalidArgument("constraint", "have at most " + std::to_string(kMaxLeaves) + " leaves", "larger");
  }
  auto node = composed(kind, std::move(members));
  node->label = joined(node->children, operation);
  return node;
}

}  // namespace

Constraint phrase_constraint(std::vector<std::vector<Phrase>> stages, bool own, std::string label) {
  auto node = leaf(ConstraintNode::Kind::kPhrase, std::move(label));
  node->nfa = std::make_shared<CompiledNfa>(sequence_nfa(stages));
  node->phrase = {std::move(stages), own};
  return node;
}

Constraint nfa_constraint(const Nfa& nfa, std::string label) {
  auto node = leaf(ConstraintNode::Kind::kNfa, std::move(label));
  node->nfa = std::make_shared<CompiledNfa>(nfa);
  return node;
}

Constraint vocabulary_constraint(VocabularySpec spec, std::string label) {
  auto node = leaf(ConstraintNode::Kind::kVocabulary, std::move(label));
  node->vocabulary = std::make_shared<VocabularySpec>(std::move(spec));
  return node;
}

Constraint token_phrase_constraint(TokenSequence tokens, std::string label) {
  if (tokens.empty()) throw InvalidArgument("tokens", "not be empty", "[]");
  if (tokens.size() > kMaxPhraseTokens)
    throw InvalidArgument("tokens", "be at most " + std::to_string(kMaxPhraseTokens), std::to_string(tokens.size()));
  auto node = leaf(ConstraintNode::Kind::kTokenPhrase, std::move(label));
  node->tokens = std::move(tokens);
  return node;
}

Constraint token_vocabulary_constraint(TokenVocabularySpec spec, std::string label) {
  auto node = leaf(ConstraintNode::Kind::kTokenVocabulary, std::move(label));
  node->token_vocabulary = std::make_shared<TokenVocabularySpec>(std::move(spec));
  return node;
}

void refuse_none(const std::vector<Constraint>& constraints) {
  for (const Constraint& each : constraints)
    if (!each) throw InvalidArgument("constraints", "be constraints", "None");
}

Constraint all_of(std::vector<Constraint> children) {
  return flat(ConstraintNode::Kind::kAnd, std::move(children), " & ");
}

Constraint one_of(std::vector<Constraint> children) {
  refuse_none(children);
  refuse_soft(children, "|");
  return flat(ConstraintNode::Kind::kOr, std::move(children), " | ");
}

Constraint negation(Constraint child) {
  refuse_none({child});
  refuse_soft({child}, "~");
  auto node = composed(ConstraintNode::Kind::kNot, {child});
  node->label = "~" + shortened(child->label);
  return node;
}

Constraint soft(Constraint child, double penalty) {
  if (!(penalty >= 0 && penalty <= kMaxPenalty)) {
    std::ostringstream shown;
    shown << penalty;
    throw InvalidArgument("penalty", "be between 0 and 1e9", shown.str());
  }
  refuse_none({child});
  refuse_soft({child}, "another soft one");
  auto node = composed(ConstraintNode::Kind::kSoft, {child});
  node->label = "soft(" + shortened(child->label) + ", " + std::to_string(penalty) + ")";
  node->penalty = penalty;
  return node;
}

std::vector<Constraint> conjuncts(const Constraint& constraint) {
  refuse_none({constraint});
  if (constraint->kind != ConstraintNode::Kind::kAnd) return {constraint};
  return constraint->children;
}

}  // namespace controldag
