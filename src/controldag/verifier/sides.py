"""What the network reads of claims and texts, as arrays of numpy or of torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Words:
    """Words as numbers: rows of `table`, which holds each different word once.

    A row: number in the vocabulary (0: not there), stem, exact form (0: never compared), runs of letters.
    """

    numbers: Any
    table: Any

    @property
    def stem(self) -> Any:
        """What inflections have in common."""
        return self.table[:, 1][self.numbers]

    @property
    def form(self) -> Any:
        """The word to the letter."""
        return self.table[:, 2][self.numbers]


@dataclass(slots=True)
class ClaimSide:
    """The claims of a batch, [B, S] each: words, which value and field they belong to, and which claim (-1: none).

    head: the number of the act's name at its place, else 0. starts: [B, A], the place of each claim's head (-1: none).
    there: where there is a word.
    """

    words: Words
    value: Any
    field: Any
    claim: Any
    head: Any
    starts: Any
    there: Any


@dataclass(slots=True)
class TextSide:
    """The texts of a batch, [B, T] each: words, which value they belong to (0: none), and where there is a word."""

    words: Words
    value: Any
    there: Any
