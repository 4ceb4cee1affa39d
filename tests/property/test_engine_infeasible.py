"""What cannot be satisfied is refused with an irreducible conflict: dropping any one of it makes it possible."""

from __future__ import annotations

import pytest

from controldag.constraints import Constraint, Length, all_of, conjuncts
from controldag.constraints.algebra import Soft
from controldag.constraints.required import with_required_entities
from controldag.errors import Infeasible
from controldag.search.exact import exact
from tests.reference.cases import Case, raw_case
from tests.reference.compare import bounds_of
from tests.reference.enumeration import accepted

LENGTH = "the length bounds"


def feasible(case: Case, members: list[Constraint], length: Length | None) -> bool:
    """As a search of these members alone reads them."""
    together = with_required_entities(all_of(*members)) if members else None
    return bool(accepted(case.lattice, together, length))


@pytest.mark.parametrize("first", range(0, 1200, 400))
def test_conflicts_are_irreducible(first: int) -> None:
    refused = 0
    for seed in range(first, first + 400):
        case = raw_case(seed)
        members = [m for m in conjuncts(case.constraint) if not isinstance(m, Soft)]
        length = bounds_of(case.length)
        if feasible(case, members, length) or len({m.label for m in members}) < len(members):
            continue
        refused += 1
        with pytest.raises(Infeasible) as raised:
            exact(case.lattice, case.constraint, length=case.length)
        conflict = raised.value.conflict
        assert raised.value.minimised, case
        kept = [m for m in members if m.label in conflict]
        bounds = length if LENGTH in conflict else None
        assert len(kept) + (LENGTH in conflict) == len(conflict), case
        assert not feasible(case, kept, bounds), (conflict, str(case))
        for dropped in kept:
            assert feasible(case, [m for m in kept if m is not dropped], bounds), (conflict, str(case))
        if bounds is not None:
            assert feasible(case, kept, None), (conflict, str(case))
    assert refused > 50
