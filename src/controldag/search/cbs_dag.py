"""CBS-DAG: constrained beam search with dynamic beam allocation (Control-DAG, appendix)."""

from __future__ import annotations

from collections.abc import Sequence

from controldag import _core
from controldag.constraints.length import Length, weights_for
from controldag.lattice import Lattice
from controldag.search.exact import DEFAULT_LIMITS, Limits
from controldag.search.result import Hypothesis, hypothesis


def cbs_dag(
    lattice: Lattice,
    phrases: Sequence[Sequence[int]],
    size: int = 4,
    *,
    length: Length | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Hypothesis | None:
    """The best string found that holds every phrase (token ids); None when no hypothesis lives to hold them all.

    Each hypothesis goes on with the `size` best pairs of successor and token, and at every successor with the next
    token of each phrase under way (found by Knuth, Morris and Pratt) and the first token of the others. Candidates
    stand in banks by the number of unmet phrase tokens; the best of each bank stays, and the beam is always wider than
    there are banks. The released code never branches on transitions; this does, as the paper says. The lattice must
    offer the phrases' tokens: see `prune(keep=phrases)`.
    """
    wanted = [list(phrase) for phrase in phrases]
    found = _core.search_beam(lattice.core, wanted, size, weights_for(length, lattice.vertices), limits.core())
    return None if found is None else hypothesis(found)
