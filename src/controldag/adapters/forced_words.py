"""Words that must be said, as users write them: phrases, sets of phrases, and either in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controldag.errors import InvalidInput
from controldag.model.twin.phrase_tables import Alternatives, Constraint, InOrder

Phrase = Sequence[int]
Forced = Sequence[Phrase | Sequence[Phrase] | InOrder]
_TOKENIZE = "Tokenize words: tokenizer(word, add_special_tokens=False).input_ids."


def in_order(*entries: Phrase | Sequence[Phrase]) -> InOrder:
    """Phrases, or sets of phrases of which one each, that must be said one behind another, without overlap."""
    if len(entries) < 2:
        raise InvalidInput.of("in_order", "have at least two entries", entries)
    return InOrder([_alternatives("in_order", entry) for entry in entries])


def read_forced(argument: str, entries: Forced) -> list[Constraint]:
    """The constraints that `entries` stand for; InvalidInput, naming the argument, where they make no sense."""
    if not isinstance(entries, list | tuple):
        raise InvalidInput.of(argument, "be a list of phrases", entries, remedy=_TOKENIZE)
    return [entry if isinstance(entry, InOrder) else _alternatives(argument, entry) for entry in entries]


def _alternatives(argument: str, entry: Any) -> Alternatives:
    nested = isinstance(entry, list | tuple) and len(entry) > 0 and isinstance(entry[0], list | tuple)
    return [_phrase(argument, phrase) for phrase in (entry if nested else [entry])]


def _phrase(argument: str, phrase: Any) -> list[int]:
    if not isinstance(phrase, list | tuple) or not phrase:
        rule = "hold phrases (lists of at least one token id) or lists of phrases"
        raise InvalidInput.of(argument, rule, phrase, remedy=_TOKENIZE)
    for token in phrase:
        if isinstance(token, bool) or not isinstance(token, int):
            raise InvalidInput.of(argument, "hold whole numbers, the ids of tokens", token, remedy=_TOKENIZE)
    return list(phrase)
