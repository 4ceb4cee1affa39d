"""Layouts as arrays of one size, and arrays (of numpy, or of torch) as what the network reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from controldag.verifier.layout import ClaimLayout, TextLayout
from controldag.verifier.lexicon import Ints, WordTable
from controldag.verifier.sides import ClaimSide, TextSide, Words

# Rows of a claim array.
_WORD, _FIELD, _CLAIM, _VALUE, _HEAD, _THERE = range(6)
CLAIM_ROWS, TEXT_ROWS = 6, 3


@dataclass(frozen=True, slots=True)
class Size:
    """How many words of texts, words of claims and claims a batch has room for."""

    text: int
    claims: int
    count: int

    def holds(self, claims: ClaimLayout, text: TextLayout) -> bool:
        """Whether an example fits."""
        fits = len(text.words) <= self.text and len(claims.words) <= self.claims
        return fits and len(claims.starts) <= self.count


def claim_array(layouts: Sequence[ClaimLayout], size: Size, table: WordTable) -> tuple[Ints, Ints]:
    """[B, 6, S] and where claims begin, [B, A]; -1 where there is none."""
    array = np.zeros((len(layouts), CLAIM_ROWS, size.claims), dtype=np.int32)
    array[:, _CLAIM] = -2
    starts = np.full((len(layouts), size.count), -1, dtype=np.int32)
    for row, layout in enumerate(layouts):
        length = len(layout.words)
        array[row, _WORD, :length] = [table.number(word) for word in layout.words]
        array[row, _FIELD, :length] = layout.fields
        array[row, _CLAIM, :length] = layout.claims
        array[row, _VALUE, :length] = layout.values
        array[row, _HEAD, :length] = layout.heads
        array[row, _THERE, :length] = 1
        starts[row, : len(layout.starts)] = layout.starts
    return array, starts


def text_array(layouts: Sequence[TextLayout], size: Size, table: WordTable) -> Ints:
    """[B, 3, T]."""
    array = np.zeros((len(layouts), TEXT_ROWS, size.text), dtype=np.int32)
    for row, layout in enumerate(layouts):
        length = min(len(layout.words), size.text)
        array[row, 0, :length] = [table.number(word) for word in layout.words[:length]]
        array[row, 1, :length] = layout.values[:length]
        array[row, 2, :length] = 1
    return array


def claim_side(array: Any, starts: Any, table: Any) -> ClaimSide:
    """What the network reads of claims; `table`: a row for each different word."""
    return ClaimSide(
        words=Words(array[:, _WORD], table),
        value=array[:, _VALUE],
        field=array[:, _FIELD],
        claim=array[:, _CLAIM],
        head=array[:, _HEAD],
        starts=starts,
        there=array[:, _THERE] > 0,
    )


def text_side(array: Any, table: Any) -> TextSide:
    """What the network reads of texts."""
    return TextSide(words=Words(array[:, 0], table), value=array[:, 1], there=array[:, 2] > 0)
