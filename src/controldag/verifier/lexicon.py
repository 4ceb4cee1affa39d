"""Words as numbers: which have an embedding of their own, and by what any word is spelled and compared."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from controldag.verifier.words import PIECES_PER_WORD, is_content, pieces, shape, stem

Ints = npt.NDArray[np.int32]


@dataclass(slots=True)
class Lexicon:
    """The vocabulary (numbers from 1) and how many buckets runs of letters share."""

    vocabulary: Sequence[str]
    buckets: int
    _number: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._number = {word: number for number, word in enumerate(self.vocabulary, start=1)}

    def entry(self, word: str) -> tuple[int, ...]:
        """What the network is told of a word: its number, stem, form (0: not compared), and its runs of letters."""
        return (self._number.get(shape(word), 0), *_looks(word, self.buckets))


@dataclass(slots=True)
class WordTable:
    """The different words of a batch: each gets a number (0: none) and one row for the network."""

    lexicon: Lexicon
    rows: list[tuple[int, ...]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows.append((0,) * (3 + PIECES_PER_WORD))

    def number(self, word: str) -> int:
        """The number of a word in this table."""
        known = self._numbers.get(word)
        if known is None:
            known = self._numbers[word] = len(self.rows)
            self.rows.append(self.lexicon.entry(word))
        return known

    def array(self) -> Ints:
        """[words, 3 + pieces]."""
        return np.asarray(self.rows, dtype=np.int32)


@lru_cache(maxsize=200_000)
def _looks(word: str, buckets: int) -> tuple[int, ...]:
    """Stem, form and runs of letters."""
    key, form = (_key(stem(word)), _key(word)) if is_content(word) else (0, 0)
    spelled = pieces(word, buckets) if word else ()
    return (key, form, *spelled, *(0,) * (PIECES_PER_WORD - len(spelled)))


def _key(text: str) -> int:
    """A number to compare by; never 0."""
    return 1 + zlib.crc32(text.encode()) % 0x7FFFFFFE
