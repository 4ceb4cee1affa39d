"""Lookahead decoding: the successor and the token that are likeliest together (Huang et al. 2022).

The paper's released code computes this joint score and then does not use it; this is the real one.
"""

from __future__ import annotations

from controldag import _core
from controldag.lattice import Lattice
from controldag.search.result import Hypothesis, hypothesis


def lookahead(lattice: Lattice) -> Hypothesis | None:
    """The string of the walk that maximises P(v|u) P(t|v) at each step; None when it ends without one."""
    found = _core.search_lookahead(lattice.core)
    return None if found is None else hypothesis(found)
