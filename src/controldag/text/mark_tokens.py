"""Value marks as tokens: which ids they have, and what they spell for one input."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from controldag.data.value_kinds import KINDS, kind_of
from controldag.data.value_marks import MarkedValues, mark
from controldag.errors import InvalidInput
from controldag.text.tokenizer import BLANK_MARK, Tokenizer


class MarkTokens:
    """The marks a tokenizer has pieces for (none in T5's), each with and without a blank in front."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        found: list[tuple[int, int]] = []
        for index in count():
            spaced, bare = tokenizer.id_of(BLANK_MARK + mark(index)), tokenizer.id_of(mark(index))
            if spaced is None or bare is None:
                break
            found.append((spaced, bare))
        self._ids = tuple(found)
        self._number = {token: number for number, pair in enumerate(found) for token in pair}

    def __len__(self) -> int:
        """How many values of an input can have a mark."""
        return len(self._ids)

    @property
    def ids(self) -> frozenset[int]:
        """All their tokens."""
        return frozenset(token for pair in self._ids for token in pair)

    def of_values(self, first_word: int) -> frozenset[int]:
        """The tokens of the marks before number `first_word`: those of values, not of words of the schema."""
        return frozenset(token for pair in self._ids[:first_word] for token in pair)

    def numbers(self, ids: Iterable[int]) -> set[int]:
        """Which marks occur among these tokens."""
        return {self._number[token] for token in ids if token in self._number}

    def kinds(self, values: MarkedValues) -> dict[int, int]:
        """Every mark of these values as the mark whose number is that of its kind: what an n-gram model tells apart.

        One kind is the first mark, so that no other vocabulary is needed; where there are fewer marks, kinds share.
        """
        kinds = [KINDS.index(kind_of(value)) for value in values.values]
        kinds += [len(KINDS)] * (len(values.spelled) - len(kinds))  # words of the schema are a kind of their own
        seen: dict[int, int] = {}
        for kind, own in zip(kinds, self._ids, strict=False):
            seen |= zip(own, self._ids[kind % len(self)], strict=True)
        return seen

    def spelling(self, values: MarkedValues) -> dict[int, bytes]:
        """By token id, the bytes that the marks of these values stand for."""
        texts = values.spelled
        if len(texts) > len(self):
            raise InvalidInput.of("values", f"be at most {len(self)}", len(texts))
        spelled: dict[int, bytes] = {}
        for value, (spaced, bare) in zip(texts, self._ids, strict=False):
            if value:
                spelled[spaced] = f" {value}".encode()
                spelled[bare] = value.encode()
        return spelled
