"""The exact search against pynini, on lattices of 50 to 200 vertices with token-level constraints."""

from __future__ import annotations

import pytest

pytest.importorskip("pynini")

from controldag.search import Limits, best_strings
from tests.reference.with_pynini import large_case_faults, random_large_case


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_best_objective_is_that_of_pynini(first: int) -> None:
    for seed in range(first, first + 10):
        case = random_large_case(seed)
        assert not large_case_faults(case), case


def test_a_long_lattice_with_many_lengths_has_an_answer() -> None:
    """998 vertices and a preferred length: rewards took more memory than there was, a graph over lengths a third."""
    case = random_large_case(30_969)
    (found,) = best_strings(case.lattice, case.constraint, length=case.length, limits=Limits(max_seconds=30.0))
    assert found.objective == pytest.approx(190.67546)  # pynini's
