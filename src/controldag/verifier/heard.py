"""How often runs of one to three words were heard in sound English, in a megabyte: more than a small network learns.

A run is known by 26 bits of a hash (one of a hundred that were never heard passes for one that was), its count by its
logarithm in eighths. Numbers, values and rare words are classes of their own.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

START, END, VALUE, NUMBER, RARE = "<s>", "</s>", "<v>", "<n>", "<unk>"
_BITS = 26
_STEPS = 8
# What a run that was never heard counts as.
_NEVER = 0.4
_ESCAPE = 255


@dataclass(frozen=True, slots=True)
class Heard:
    """keys: hashes of runs, ascending; logs: the logarithm of each one's count. total: that of all words."""

    keys: NDArray[np.int64]
    logs: NDArray[np.float32]
    total: float

    @classmethod
    def of(cls, counts: Mapping[tuple[str, ...], int]) -> Heard:
        """Of counts by run; where two runs have one hash, the larger count stands."""
        hashes = np.asarray([_hash(run) for run in counts], np.int64)
        found = np.asarray(list(counts.values()), np.float64)
        order = np.lexsort((-found, hashes))
        keys, first = np.unique(hashes[order], return_index=True)
        logs = np.round(_STEPS * np.log(found[order][first])).clip(0, 255) / _STEPS
        total = float(np.log(sum(count for run, count in counts.items() if len(run) == 1)))
        return cls(keys, logs.astype(np.float32), total)

    def count(self, runs: Sequence[tuple[str, ...]]) -> NDArray[np.float32]:
        """The logarithms of their counts; `log 0.4` for what was never heard."""
        hashes = np.asarray([_hash(run) for run in runs], np.int64)
        places = np.minimum(self.keys.searchsorted(hashes), len(self.keys) - 1)
        return np.where(self.keys[places] == hashes, self.logs[places], np.float32(np.log(_NEVER)))

    def classes(self, words: Sequence[str]) -> list[str]:
        """The words as they are counted: numbers are all alike, and so are words that were hardly ever heard."""
        often = self.count([(word,) for word in words]) > 0
        return [
            word if word == VALUE else NUMBER if word[:1].isdigit() else word if known else RARE
            for word, known in zip(words, often.tolist(), strict=True)
        ]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """For a file: gaps between hashes and counts, a byte each (a gap of 255 goes on in the next)."""
        gaps: list[int] = []
        counts: list[int] = []
        for gap, log in zip(np.diff(self.keys, prepend=0).tolist(), self.logs.tolist(), strict=True):
            while gap >= _ESCAPE:
                gaps.append(_ESCAPE)
                counts.append(0)
                gap -= _ESCAPE
            gaps.append(gap)
            counts.append(round(_STEPS * log))
        return {
            "gaps": np.asarray(gaps, np.uint8),
            "counts": np.asarray(counts, np.uint8),
            "total": np.asarray([self.total], np.float32),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Heard:
        """What `arrays` gave."""
        gaps = arrays["gaps"].astype(np.int64)
        ends = gaps != _ESCAPE
        keys = np.cumsum(gaps)[ends]
        logs = arrays["counts"][ends].astype(np.float32) / _STEPS
        total = float(arrays["total"][0])
        if not len(keys) or not math.isfinite(total):
            raise ValueError("nothing was heard")
        return cls(keys, logs, total)


def _hash(run: tuple[str, ...]) -> int:
    return zlib.crc32("\t".join(run).encode()) >> (32 - _BITS)
