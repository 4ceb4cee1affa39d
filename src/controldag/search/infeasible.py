"""Why nothing satisfies the constraints: an irreducible conflict, found by deletion."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from controldag import _core
from controldag.constraints.algebra import Constraint, Soft, all_of, conjuncts
from controldag.constraints.in_words import in_words
from controldag.constraints.length import Length, weights_for
from controldag.constraints.required import with_required_entities
from controldag.constraints.vocabulary import Vocabulary
from controldag.errors import Infeasible, LatticeTooLarge, SearchTooLong
from controldag.lattice import Lattice

MINIMISATION_SECONDS = 2.0
_LENGTH = "the length bounds"
Member = Constraint | None
"""None stands for the length bounds."""


def explain_infeasible(
    lattice: Lattice,
    members: Sequence[Constraint],
    length: Length | None,
    limits: _core.Limits,
    seconds: float = MINIMISATION_SECONDS,
    until: float = math.inf,
) -> Infeasible:
    """The error to raise: which hard constraints (and whether the length bounds) exclude every text together.

    `members` are the caller's own: required phrases join a vocabulary's entities anew in every check, so that the
    vocabulary does not go on allowing what is no longer required.

    Deletion filter: drop each in turn and keep it out while the rest stays infeasible; what remains is irreducible.
    From the last on: the caller's own demands come first, and without vocabulary and length, which come last and make
    the largest automaton, the other checks take no time. Where dropping a phrase also narrows a vocabulary, what was
    needed before may no longer be: then once more, until nothing can be dropped.

    No check begins after `seconds`; one that runs is broken off after three times as many, and at `until` (by
    `time.monotonic()`) in any case. All checks together have the seconds of a processor that the limits allow. A check
    that passes another limit says nothing: its member stays.
    """
    now, spent_by = time.monotonic(), time.thread_time() + limits.max_seconds
    deadline = now + seconds
    limits.expire_in(max(0.0, min(3 * seconds, until - now)))
    kept: list[Member] = [member for member in members if not isinstance(member, Soft)]
    if length is not None:
        kept.append(None)
    minimised, again = True, True
    while again and minimised:
        before = len(kept)
        kept, minimised = _one_pass(lattice, kept, length, limits, deadline, spent_by)
        again = len(kept) < before and any(isinstance(member, Vocabulary) for member in kept)
    names = tuple(_LENGTH if member is None else member.label for member in kept)
    said = tuple("keep to its length" if member is None else in_words(member) for member in kept)
    return Infeasible(names, minimised=minimised, in_words=said)


def _one_pass(
    lattice: Lattice,
    kept: list[Member],
    length: Length | None,
    limits: _core.Limits,
    deadline: float,
    spent_by: float,
) -> tuple[list[Member], bool]:
    """What stays when each is dropped in turn, and whether every check came to an end."""
    certain = True
    for place in reversed(range(len(kept))):  # by place and not by value: a constraint given twice is two members
        limits.max_seconds = spent_by - time.thread_time()
        if time.monotonic() > deadline or limits.max_seconds <= 0:
            return kept, False
        without = kept[:place] + kept[place + 1 :]
        try:
            needed = _feasible(lattice, without, length, limits)
        except SearchTooLong:
            return kept, False
        except LatticeTooLarge:
            certain = False
            continue
        if not needed:
            kept = without
    return kept, certain


def _feasible(lattice: Lattice, members: Sequence[Member], length: Length | None, limits: _core.Limits) -> bool:
    weights = weights_for(length if None in members else None, lattice.vertices)
    given = [member for member in members if member is not None]
    together = with_required_entities(all_of(*given)) if given else None
    found, _ = _core.search_exact(lattice.core, [member.core for member in conjuncts(together)], weights, limits)
    return found is not None
