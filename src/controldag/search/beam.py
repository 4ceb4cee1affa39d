"""Beam search over vertices and tokens."""

from __future__ import annotations

from controldag import _core
from controldag.constraints.length import Length, weights_for
from controldag.lattice import Lattice
from controldag.search.exact import DEFAULT_LIMITS, Limits
from controldag.search.result import Hypothesis, hypothesis


def beam(
    lattice: Lattice, size: int = 5, *, length: Length | None = None, limits: Limits = DEFAULT_LIMITS
) -> Hypothesis | None:
    """The best string among the hypotheses that a beam of `size` carries to the end; None when all die.

    A hypothesis is a vertex path with its tokens; all in the beam have equally many. `Length(normalisation=β)` divides
    the cost of finished ones by length ** β.
    """
    found = _core.search_beam(lattice.core, [], size, weights_for(length, lattice.vertices), limits.core())
    return None if found is None else hypothesis(found)
