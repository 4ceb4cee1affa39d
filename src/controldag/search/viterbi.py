"""Viterbi and joint Viterbi decoding with length normalisation (Shao et al. 2022)."""

from __future__ import annotations

from controldag import _core
from controldag.constraints.length import Length, weights_for
from controldag.lattice import Lattice
from controldag.search.exact import DEFAULT_LIMITS, Limits, best_strings
from controldag.search.result import Hypothesis, hypothesis


def viterbi(lattice: Lattice, length: Length | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Hypothesis | None:
    """The likeliest vertex path, read off with the likeliest token of each vertex; None when no length is allowed.

    Tokens play no part in choosing the path. `Length(normalisation=β)` divides the cost of the best path of each
    length by length ** β; the result's objective is that of the transitions alone, its cost that of the whole path.
    """
    found = _core.search_viterbi(lattice.core, weights_for(length, lattice.vertices), limits.core())
    return None if found is None else hypothesis(found)


def joint_viterbi(
    lattice: Lattice, length: Length | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> Hypothesis | None:
    """The likeliest path and tokens together, per length and then over lengths; None when no length is allowed.

    This is the exact search without constraints; the paper ran it without normalisation, Shao et al. with β.
    """
    return next(iter(best_strings(lattice, length=length, limits=limits)), None)
