"""Greedy decoding: the likeliest successor, then its likeliest token (Huang et al. 2022)."""

from __future__ import annotations

from controldag import _core
from controldag.lattice import Lattice
from controldag.search.result import Hypothesis, hypothesis


def greedy(lattice: Lattice) -> Hypothesis | None:
    """The string of the greedy walk; None when it ends without one (a dead end, or at once)."""
    found = _core.search_greedy(lattice.core)
    return None if found is None else hypothesis(found)
