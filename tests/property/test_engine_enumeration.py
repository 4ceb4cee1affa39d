"""The engine against path enumeration, on random small lattices with random constraints and lengths."""

from __future__ import annotations

import pytest

from tests.reference.cases import random_case
from tests.reference.compare import all_faults
from tests.reference.ngram_weights import weights_faults

CASES_PER_TEST = 500


@pytest.mark.parametrize("first", range(0, 3000, CASES_PER_TEST))
def test_engine_agrees_with_enumeration(first: int) -> None:
    """Best string, n-best, n-gram weights, and the language's probability, lengths, posteriors, n-grams and samples."""
    for seed in range(first, first + CASES_PER_TEST):
        case = random_case(seed)
        faults = [*all_faults(case), *weights_faults(case)]
        assert not faults, f"{faults}\n{case}"
