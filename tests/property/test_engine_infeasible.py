"""What cannot be satisfied is refused with an irreducible conflict: dropping any one of it makes it possible."""

from __future__ import annotations

import pytest

from tests.reference.cases import raw_case
from tests.reference.conflicts import conflict_faults, refused


@pytest.mark.parametrize("first", range(0, 1200, 400))
def test_conflicts_are_irreducible(first: int) -> None:
    cases = [case for seed in range(first, first + 400) if refused(case := raw_case(seed))]
    assert len(cases) > 50
    for case in cases:
        assert not conflict_faults(case), str(case)
