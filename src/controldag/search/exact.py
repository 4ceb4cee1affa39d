"""Exact search: the best strings that satisfy every constraint jointly, at a good length."""

from __future__ import annotations

from dataclasses import dataclass

from controldag import _core
from controldag.constraints.algebra import Constraint, conjuncts
from controldag.constraints.length import Length, weights_for
from controldag.errors import InvalidInput
from controldag.lattice import Lattice
from controldag.search.result import Hypothesis, hypothesis


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one search; passing them raises LatticeTooLarge."""

    max_states: int = 4_000_000
    max_bytes: int = 2 << 30

    def core(self) -> _core.Limits:
        limits = _core.Limits()
        limits.max_states = self.max_states
        limits.max_bytes = self.max_bytes
        return limits


DEFAULT_LIMITS = Limits()


def best_strings(
    lattice: Lattice,
    constraint: Constraint | None = None,
    *,
    length: Length | None = None,
    n_best: int = 1,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Hypothesis]:
    """Up to `n_best` distinct strings of least objective, best first; empty when nothing satisfies the constraint.

    A string's cost is the least over its paths and segmentations; never an empty string. Exact.
    """
    if n_best < 1:
        raise InvalidInput.of("n_best", "be at least 1", n_best)
    members = [member.core for member in conjuncts(constraint)]
    weights = weights_for(length, lattice.vertices)
    if n_best == 1:
        found, _ = _core.search_exact(lattice.core, members, weights, limits.core())
        return [] if found is None else [hypothesis(found)]
    several, _ = _core.search_n_best(lattice.core, members, weights, n_best, limits.core())
    return [hypothesis(each) for each in several]
