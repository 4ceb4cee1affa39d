"""Additive weights of n-grams in the search: gains (lattice MBR) and back-off language models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from controldag import _core
from controldag.errors import InvalidInput

Ngram = tuple[int, ...]


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
        listed = [(list(ngram), cost) for ngram, cost in costs.items()]
        contexts = [(list(ngram), cost) for ngram, cost in backoffs.items()]
        return cls(_core.backoff_weights(listed, contexts, unknown, scale, list((aliases or {}).items())))

    def seen_as(self, aliases: Mapping[int, int]) -> NgramWeights:
        """The same weights for one request in which some tokens count as others; the tables are shared."""
        return NgramWeights(_core.alias_weights(self.core, list(aliases.items())))
