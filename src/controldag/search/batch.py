"""Many searches at once on several threads, with constraints per item."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from controldag import _core
from controldag.constraints.algebra import Constraint, conjuncts
from controldag.constraints.length import Length, weights_for
from controldag.constraints.required import with_required_entities
from controldag.errors import ControlDagError
from controldag.lattice import Lattice
from controldag.search.exact import DEFAULT_LIMITS, Limits, hypotheses
from controldag.search.infeasible import explain_infeasible
from controldag.search.result import Hypothesis
from controldag.search.weights import NgramWeights


@dataclass(frozen=True, eq=False, slots=True)
class SearchItem:
    """One search of a batch."""

    lattice: Lattice
    constraint: Constraint | None = None
    length: Length | None = None
    n_best: int = 1
    weights: NgramWeights | None = None


def search_batch(
    items: Sequence[SearchItem], *, threads: int | None = None, limits: Limits = DEFAULT_LIMITS
) -> list[list[Hypothesis] | ControlDagError]:
    """By item, in order: its strings, best first, or the error (Infeasible, LatticeTooLarge) that its search met.

    Runs without the GIL; results are the same for any number of threads (default: one per core).
    """
    constraints = [with_required_entities(item.constraint) for item in items]
    cores = [
        _core.BatchItem(
            item.lattice.core,
            [member.core for member in conjuncts(constraint)],
            weights_for(item.length, item.lattice.vertices),
            item.n_best,
            None if item.weights is None else item.weights.core,
        )
        for item, constraint in zip(items, constraints, strict=True)
    ]
    raw = _core.search_batch(cores, limits.core(), threads or os.cpu_count() or 1)
    results: list[list[Hypothesis] | ControlDagError] = []
    for item, constraint, found in zip(items, constraints, raw, strict=True):
        try:
            results.append(_result(item, constraint, found, limits))
        except ControlDagError as error:  # one item's trouble is not the others'
            results.append(error)
    return results


def _result(
    item: SearchItem,
    constraint: Constraint | None,
    found: list[_core.Found] | ControlDagError,
    limits: Limits,
) -> list[Hypothesis] | ControlDagError:
    if isinstance(found, ControlDagError):
        return found
    if found:
        return hypotheses(found, constraint)
    members = conjuncts(item.constraint)
    return explain_infeasible(item.lattice, members, item.length, limits.core(), until=limits.until)
