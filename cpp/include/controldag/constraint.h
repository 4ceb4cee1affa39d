// The constraint algebra: immutable trees of leaves, &, |, ~ and soft penalties.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "controldag/lazy_dfa.h"
#include "controldag/token_level.h"
#include "controldag/vocabulary.h"

namespace controldag {

struct ConstraintNode;
using Constraint = std::shared_ptr<const ConstraintNode>;

struct PhraseLeaf {  // `stages` as in sequence_nfa; `own`: joins the other own-occurrence leaves of a conjunction
  std::vector<std::vector<Phrase>> stages;
  bool own = false;
};

struct ConstraintNode {
  enum class Kind { kPhrase, kNfa, kVocabulary, kTokenPhrase, kTokenVocabulary, kAnd, kOr, kNot, kSoft };
  Kind kind;
  std::string label;  // how error messages name it
  std::vector<Constraint> children;  // of `&` never another `&`, of `|` never another `|`
  uint64_t leaves = 1;               // below it, each as often as it stands there
  uint32_t nesting = 0;              // how many `&`, `|`, `~` and soft() lie above the deepest leaf
  double penalty = 0;  // kSoft
  PhraseLeaf phrase;
  std::shared_ptr<const CompiledNfa> nfa;  // kPhrase and kNfa
  std::shared_ptr<const VocabularySpec> vocabulary;
  TokenSequence tokens;
  std::shared_ptr<const TokenVocabularySpec> token_vocabulary;
};

Constraint phrase_constraint(std::vector<std::vector<Phrase>> stages, bool own, std::string label);
Constraint nfa_constraint(const Nfa& nfa, std::string label);
Constraint vocabulary_constraint(VocabularySpec spec, std::string label);
Constraint token_phrase_constraint(TokenSequence tokens, std::string label);
Constraint token_vocabulary_constraint(TokenVocabularySpec spec, std::string label);
Constraint all_of(std::vector<Constraint> children);
Constraint one_of(std::vector<Constraint> children);
Constraint negation(Constraint child);
// A violated `child` costs `penalty` instead of ruling the text out. Only at the top of a conjunction.
Constraint soft(Constraint child, double penalty);

// Throws InvalidArgument where one of them is null: Python's None, in a list.
void refuse_none(const std::vector<Constraint>& constraints);

// The hard and soft members of the top-level conjunction.
std::vector<Constraint> conjuncts(const Constraint& constraint);

}  // namespace controldag
