#include "controldag/constraint.h"

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

std::string joined(const std::vector<Constraint>& children, const char* operation) {
  std::string label = "(";
  for (size_t i = 0; i < children.size(); ++i) label += (i ? operation : "") + children[i]->label;
  return label + ")";
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
  auto node = leaf(ConstraintNode::Kind::kTokenPhrase, std::move(label));
  node->tokens = std::move(tokens);
  return node;
}

Constraint token_vocabulary_constraint(TokenVocabularySpec spec, std::string label) {
  auto node = leaf(ConstraintNode::Kind::kTokenVocabulary, std::move(label));
  node->token_vocabulary = std::make_shared<TokenVocabularySpec>(std::move(spec));
  return node;
}

Constraint all_of(std::vector<Constraint> children) {
  if (children.empty()) throw InvalidArgument("constraints", "not be empty", "[]");
  auto node = leaf(ConstraintNode::Kind::kAnd, joined(children, " & "));
  node->children = std::move(children);
  return node;
}

Constraint one_of(std::vector<Constraint> children) {
  if (children.empty()) throw InvalidArgument("constraints", "not be empty", "[]");
  refuse_soft(children, "|");
  auto node = leaf(ConstraintNode::Kind::kOr, joined(children, " | "));
  node->children = std::move(children);
  return node;
}

Constraint negation(Constraint child) {
  refuse_soft({child}, "~");
  auto node = leaf(ConstraintNode::Kind::kNot, "~" + child->label);
  node->children = {std::move(child)};
  return node;
}

Constraint soft(Constraint child, double penalty) {
  if (!(penalty >= 0 && penalty <= kMaxPenalty)) {
    std::ostringstream shown;
    shown << penalty;
    throw InvalidArgument("penalty", "be between 0 and 1e9", shown.str());
  }
  refuse_soft({child}, "another soft one");
  auto node = leaf(ConstraintNode::Kind::kSoft, "soft(" + child->label + ", " + std::to_string(penalty) + ")");
  node->children = {std::move(child)};
  node->penalty = penalty;
  return node;
}

std::vector<Constraint> conjuncts(const Constraint& constraint) {
  if (constraint->kind != ConstraintNode::Kind::kAnd) return {constraint};
  std::vector<Constraint> found;
  for (const Constraint& child : constraint->children)
    for (Constraint& member : conjuncts(child)) found.push_back(std::move(member));
  return found;
}

}  // namespace controldag
