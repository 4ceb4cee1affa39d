"""Constraints over token ids, as the paper writes them: for its preset and for comparison with other automata tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controldag import _core
from controldag.constraints.algebra import Constraint


@dataclass(frozen=True, slots=True)
class TokenPhrase(Constraint):
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TokenVocabulary(Constraint):
    dictionary: TokenDictionary
    dynamic: tuple[tuple[int, ...], ...]


class TokenDictionary:
    """Words as token sequences, with single special tokens: the static part of Control-DAG Eq. 1."""

    def __init__(self, words: Iterable[Sequence[int]]) -> None:
        self.words = frozenset(tuple(word) for word in words)
        self.core = _core.make_token_trie([list(word) for word in sorted(self.words)])


def contains_tokens(tokens: Sequence[int]) -> Constraint:
    """Texts whose tokens hold this sequence."""
    more = f"… {len(tokens)} in all" if len(tokens) > 100 else ""
    label = f"contains_tokens({list(tokens[:100])}{more})"
    return TokenPhrase(_core.token_phrase(list(tokens), label), tuple(tokens))


def token_vocabulary(dictionary: TokenDictionary, dynamic: Iterable[Sequence[int]] = ()) -> Constraint:
    """Texts that are a concatenation of the dictionary's words and this input's names: (dict | spec | dyn)*."""
    names = tuple(tuple(name) for name in dynamic)
    core = _core.token_vocabulary(
        dictionary.core, [list(n) for n in names], f"token_vocabulary({len(dictionary.words)} words)"
    )
    return TokenVocabulary(core, dictionary, names)
