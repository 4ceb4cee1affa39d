"""The WFSA's shortest path under constraints, whatever its length (Control-DAG without length control)."""

from __future__ import annotations

from controldag.constraints.algebra import Constraint
from controldag.lattice import Lattice
from controldag.search.exact import DEFAULT_LIMITS, Limits, best_strings
from controldag.search.result import Hypothesis


def shortest_path(
    lattice: Lattice, constraint: Constraint | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> Hypothesis | None:
    """The likeliest string that satisfies the constraint; None when there is none. The exact search without length."""
    return next(iter(best_strings(lattice, constraint, limits=limits)), None)
