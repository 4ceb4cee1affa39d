"""The exact search against path enumeration, on random small lattices with random constraints and lengths."""

from __future__ import annotations

import pytest
from tests.reference.cases import random_case
from tests.reference.compare import best_string_faults

CASES_PER_TEST = 500


@pytest.mark.parametrize("first", range(0, 3000, CASES_PER_TEST))
def test_best_string_is_the_best_by_enumeration(first: int) -> None:
    for seed in range(first, first + CASES_PER_TEST):
        case = random_case(seed)
        faults = best_string_faults(case)
        assert not faults, f"{faults}\n{case}"
