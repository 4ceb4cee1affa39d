"""Why nothing satisfies the constraints: an irreducible conflict, found by deletion."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from controldag import _core
from controldag.constraints.algebra import Constraint, Soft
from controldag.constraints.length import Length, weights_for
from controldag.errors import Infeasible, SearchTooLong
from controldag.lattice import Lattice

MINIMISATION_SECONDS = 2.0
_LENGTH = "the length bounds"


def explain_infeasible(
    lattice: Lattice,
    members: Sequence[Constraint],
    length: Length | None,
    limits: _core.Limits,
    seconds: float = MINIMISATION_SECONDS,
    until: float = math.inf,
) -> Infeasible:
    """The error to raise: which hard constraints (and whether the length bounds) exclude every text together.

    Deletion filter: drop each in turn and keep it out while the rest stays infeasible; what remains is irreducible.
    From the last on: the caller's own demands come first, and without vocabulary and length, which come last and make
    the largest automaton, the other checks take no time.

    No check begins after `seconds`; one that runs is broken off after three times as many, and at `until` (by
    `time.monotonic()`) in any case.
    """
    now = time.monotonic()
    deadline = now + seconds
    limits.expire_in(max(0.0, min(3 * seconds, until - now)))
    kept: list[Constraint | None] = [member for member in members if not isinstance(member, Soft)]
    if length is not None:
        kept.append(None)  # stands for the length bounds
    minimised = True
    for place in reversed(range(len(kept))):  # by place and not by value: a constraint given twice is two members
        if time.monotonic() > deadline:
            minimised = False
            break
        without = kept[:place] + kept[place + 1 :]
        try:
            needed = _feasible(lattice, without, length, limits)
        except SearchTooLong:
            minimised = False
            break
        if not needed:
            kept = without
    names = tuple(_LENGTH if member is None else member.label for member in kept)
    return Infeasible(names, minimised=minimised)


def _feasible(
    lattice: Lattice, members: Sequence[Constraint | None], length: Length | None, limits: _core.Limits
) -> bool:
    weights = weights_for(length if None in members else None, lattice.vertices)
    cores = [member.core for member in members if member is not None]
    found, _ = _core.search_exact(lattice.core, cores, weights, limits)
    return found is not None
