"""Additive weights of n-grams in the search: gains (lattice MBR) and back-off language models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag import _core
from controldag.errors import InvalidInput

Ngram = tuple[int, ...]
Table = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Token ids of n-grams, a row each, and what each of them adds."""


@dataclass(frozen=True, eq=False, slots=True)
class NgramWeights:
    """What every n-gram of token ids adds to a string's cost; immutable, shared by all requests.

    With weights a cost may be negative; a length preference then multiplies a negative number, so prefer hard bounds.
    """

    core: _core.TokenWeights

    @classmethod
    def gains(cls, gains: Mapping[Ngram, float]) -> NgramWeights:
        """Every occurrence of an n-gram lowers the cost by its gain (a negative gain raises it)."""
        for ngram, gain in gains.items():
            if not math.isfinite(gain):
                raise InvalidInput.of("gains", "be finite", f"{gain} for {ngram}")
        return cls(_core.ngram_weights([(list(ngram), -gain) for ngram, gain in gains.items()]))

    @classmethod
    def language_model(
        cls,
        costs: Mapping[Ngram, float],
        backoffs: Mapping[Ngram, float],
        *,
        unknown: float,
        scale: float = 1.0,
        aliases: Mapping[int, int] | None = None,
    ) -> NgramWeights:
        """A back-off model: -log p of n-grams, back-off costs of contexts, what unknown tokens cost; times `scale`.

        `aliases`: tokens that count as another one.
        """
        tables = _by_length(costs), _by_length(backoffs)
        return cls.of_tables(*tables, unknown=unknown, scale=scale, aliases=aliases)

    @classmethod
    def of_tables(
        cls,
        costs: Sequence[Table],
        backoffs: Sequence[Table],
        *,
        unknown: float,
        scale: float,
        aliases: Mapping[int, int] | None = None,
    ) -> NgramWeights:
        """As `language_model`, with n-grams of one length in each table."""
        return cls(_core.backoff_weights(costs, backoffs, unknown, scale, list((aliases or {}).items())))

    def seen_as(self, aliases: Mapping[int, int]) -> NgramWeights:
        """The same weights for one request in which some tokens count as others; the tables are shared."""
        return NgramWeights(_core.alias_weights(self.core, list(aliases.items())))


def _by_length(table: Mapping[Ngram, float]) -> list[Table]:
    lengths: dict[int, list[Ngram]] = {}
    for ngram in table:
        lengths.setdefault(len(ngram), []).append(ngram)
    return [
        (np.array(rows, np.int64).reshape(len(rows), length), np.array([table[row] for row in rows], np.float32))
        for length, rows in lengths.items()
    ]
