"""What cannot be satisfied is refused with an irreducible conflict, alone and in a batch: against enumeration."""

from __future__ import annotations

from controldag.constraints import Constraint, Length, all_of, conjuncts
from controldag.constraints.algebra import Soft
from controldag.constraints.required import with_required_entities
from controldag.errors import Infeasible
from controldag.lattice import make_lattice
from controldag.search import SearchItem, exact, search_batch

from .cases import Case
from .compare import bounds_of
from .enumeration import accepted

LENGTH = "the length bounds"
_EASY = SearchItem(make_lattice([[], [(0, 1.0)], []], [[(1, 0.0)], [(2, 0.0)], []], [b" a"]))


def feasible(case: Case, members: list[Constraint], length: Length | None) -> bool:
    """As a search of these members alone reads them."""
    together = with_required_entities(all_of(*members)) if members else None
    return bool(accepted(case.lattice, together, length))


def refused(case: Case) -> bool:
    """Whether nothing satisfies a raw case, and its conflict can be told by labels."""
    members = _members(case)
    return not feasible(case, members, bounds_of(case.length)) and len({m.label for m in members}) == len(members)


def conflict_faults(case: Case) -> list[str]:
    """What is wrong with the refusal of a raw case; nothing for one that can be satisfied."""
    if not refused(case):
        return []
    try:
        return [f"found {exact(case.lattice, case.constraint, length=case.length)}, but nothing satisfies"]
    except Infeasible as error:
        told = error
    faults = [] if told.minimised else ["the conflict is not minimised"]
    kept = [m for m in _members(case) if m.label in told.conflict]
    bounds = bounds_of(case.length) if LENGTH in told.conflict else None
    if len(kept) + (LENGTH in told.conflict) != len(told.conflict):
        faults.append(f"{told.conflict} are not what was asked for")
    if feasible(case, kept, bounds):
        faults.append(f"{told.conflict} can be satisfied")
    faults += [
        f"{told.conflict} without {dropped.label} is a conflict too"
        for dropped in kept
        if not feasible(case, [m for m in kept if m is not dropped], bounds)
    ]
    if bounds is not None and not feasible(case, kept, None):
        faults.append(f"{told.conflict} without the length is a conflict too")
    first, result, last = search_batch([_EASY, SearchItem(case.lattice, case.constraint, case.length), _EASY])
    if not isinstance(result, Infeasible) or result.conflict != told.conflict:
        faults.append(f"in a batch: {result}")
    if not (isinstance(first, list) and first == last and first[0].text == "a"):
        faults.append(f"beside it in a batch: {first}, {last}")
    return faults


def _members(case: Case) -> list[Constraint]:
    return [m for m in conjuncts(case.constraint) if not isinstance(m, Soft)]
