"""What the text must and must not contain: constraints as automata over UTF-8 bytes."""

from controldag.constraints.algebra import Constraint, all_of, conjuncts
from controldag.constraints.length import Length
from controldag.constraints.lexical import any_of, contains, in_order
from controldag.constraints.pattern import pattern
from controldag.constraints.token_level import TokenDictionary, contains_tokens, token_vocabulary
from controldag.constraints.vocabulary import PUNCTUATION, WordList, vocabulary
from controldag.constraints.word_count import words

__all__ = [
    "PUNCTUATION",
    "Constraint",
    "Length",
    "TokenDictionary",
    "WordList",
    "all_of",
    "any_of",
    "conjuncts",
    "contains",
    "contains_tokens",
    "in_order",
    "pattern",
    "token_vocabulary",
    "vocabulary",
    "words",
]
