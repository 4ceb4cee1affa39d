"""The exact search against pynini, on lattices of 50 to 200 vertices with token-level constraints."""

from __future__ import annotations

import pytest

pytest.importorskip("pynini")

from tests.reference.with_pynini import large_case_faults, random_large_case


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_best_objective_is_that_of_pynini(first: int) -> None:
    for seed in range(first, first + 10):
        case = random_large_case(seed)
        assert not large_case_faults(case), case
