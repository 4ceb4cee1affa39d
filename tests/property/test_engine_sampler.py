"""The sampler as a whole: one pooled chi-squared test over many lattices, with fixed seeds."""

from __future__ import annotations

import math
from collections import Counter

from controldag.search.language import ConstrainedLanguage
from tests.reference.cases import random_case
from tests.reference.compare import bounds_of
from tests.reference.enumeration import steps_of, weighted

DRAWS = 400


def test_samples_follow_the_language() -> None:
    statistic, freedom = 0.0, 0
    for seed in range(600):
        case = random_case(seed)
        length = bounds_of(case.length)
        readings = weighted(case.lattice, case.constraint, length)
        if len(readings) < 2:
            continue
        total = math.fsum(mass for _, mass in readings)
        expected = {steps_of(case.lattice, reading): DRAWS * mass / total for reading, mass in readings}
        language = ConstrainedLanguage(case.lattice, case.constraint, length=length)
        last = (case.lattice.vertices - 1, -1)
        drawn = Counter(
            (*zip(s.hypothesis.vertices, s.hypothesis.tokens, strict=True), last)
            for s in language.sample(DRAWS, seed=seed)
        )
        assert set(drawn) <= set(expected)
        # Rare paths share a cell: the statistic is only chi-squared where a cell expects a few draws.
        rare = [path for path, count in expected.items() if count < 5]
        cells = [(drawn[path], count) for path, count in expected.items() if count >= 5]
        if sum(expected[path] for path in rare) >= 5:
            cells.append((sum(drawn[path] for path in rare), sum(expected[path] for path in rare)))
        elif rare:
            continue
        statistic += sum((seen - count) ** 2 / count for seen, count in cells)
        freedom += len(cells) - 1
    assert freedom > 200
    # Wilson and Hilferty: the cube root of chi-squared over its degrees of freedom is nearly normal.
    spread = math.sqrt(2 / (9 * freedom))
    score = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / spread
    assert abs(score) < 3.5, f"chi-squared {statistic:.1f} with {freedom} degrees of freedom: {score:+.2f} deviations"


def test_samples_do_not_vary_with_the_number_drawn_and_do_with_the_seed() -> None:
    case = random_case(next(s for s in range(1000) if len(weighted(random_case(s).lattice, None, None)) > 20))
    language = ConstrainedLanguage(case.lattice)
    assert language.sample(3, seed=5) == language.sample(9, seed=5)[:3]
    assert language.sample(20, seed=5) != language.sample(20, seed=6)
