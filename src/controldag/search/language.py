"""Sums over the constrained language: its probability, samples, posteriors, lengths and expected n-grams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag import _core
from controldag.constraints.algebra import Constraint, conjuncts
from controldag.constraints.length import Length, weights_for
from controldag.constraints.required import with_required_entities
from controldag.errors import Infeasible, InvalidInput
from controldag.lattice import Lattice
from controldag.search.exact import DEFAULT_LIMITS, Limits
from controldag.search.result import Hypothesis, hypothesis


@dataclass(frozen=True, slots=True)
class Sample:
    """A string drawn from the language, and the probability of each choice on the way: every token, then the end."""

    hypothesis: Hypothesis
    log_probability: float
    steps: tuple[float, ...]


class ConstrainedLanguage:
    """All paths of a lattice whose text satisfies the constraint, laid out once for any number of questions.

    Lengths can only be allowed or forbidden here; a preference (target or normalisation) is InvalidInput. A soft
    constraint weighs a violating path by exp(-penalty).
    """

    def __init__(
        self,
        lattice: Lattice,
        constraint: Constraint | None = None,
        *,
        length: Length | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        if length is not None and not length.is_hard:
            raise InvalidInput.of(
                "length", "be bounds only (minimum, maximum, exact) where probabilities are summed", length
            )
        self.lattice = lattice
        self._members = [member.core for member in conjuncts(with_required_entities(constraint))]
        self._weights = weights_for(length, lattice.vertices)
        self._limits = limits
        self._sums = _core.Language(lattice.core, self._members, self._weights, limits.core(), False)

    @property
    def log_probability(self) -> float:
        """The logarithm of the language's total probability; -inf when it is empty."""
        return self._sums.log_probability

    def sample(self, count: int = 1, *, seed: int = 0) -> list[Sample]:
        """`count` independent draws from the language, each path with its probability given the constraint."""
        if count < 0 or not 0 <= seed < 1 << 64:
            raise InvalidInput.of("count, seed", "satisfy count >= 0 and 0 <= seed < 2**64", (count, seed))
        if count and self.log_probability == -np.inf:
            raise Infeasible(("the constraint",), minimised=False)
        drawn = self._sums.sample(count, seed)
        return [Sample(hypothesis(found), -found.objective, tuple(steps)) for found, steps in drawn]

    def emission_posteriors(self) -> list[dict[int, float]]:
        """Per vertex: the probability, given the constraint, that it is visited and emits each token."""
        values = self._sums.emission_posteriors()
        core = self.lattice.core
        return [
            {core.token_id[core.emit_token[e]]: values[e] for e in range(core.emit_begin[v], core.emit_begin[v + 1])}
            for v in range(self.lattice.vertices)
        ]

    def vertex_posteriors(self) -> NDArray[np.float64]:
        """Per vertex: the probability, given the constraint, that it is visited."""
        return np.array(self._sums.vertex_posteriors())

    def length_distribution(self) -> NDArray[np.float64]:
        """By length (surface tokens + 1): its probability given the constraint."""
        tracked = _core.Language(self.lattice.core, self._members, self._weights, self._limits.core(), True)
        return np.concatenate([[0.0], tracked.token_counts()])

    def expected_ngrams(self, order: int = 4, *, least: float = 0.0) -> dict[tuple[int, ...], float]:
        """Expected counts, given the constraint, of token n-grams up to `order`.

        Occurrences less likely than `least` are left out: 0 is exact, 1e-4 much faster on dense lattices.
        """
        return {tuple(tokens): count for tokens, count in self._sums.expected_ngrams(order, least)}
