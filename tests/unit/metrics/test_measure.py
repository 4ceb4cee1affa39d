"""Sums by line: percentages, parts, and figures that are undefined."""

from __future__ import annotations

import numpy as np
import pytest

from controldag.errors import InvalidInput
from controldag.metrics.bootstrap import BootstrapOptions, compare, intervals
from controldag.metrics.measure import Measure, percentage, ratio


def test_percentages_overall_and_of_parts() -> None:
    errors = percentage("e", "s", [True, False, False, True])
    assert errors.value() == 50.0
    assert errors.value(np.array([0, 3])) == 100.0
    assert errors.part(np.array([0, 1, 2])).value() == pytest.approx(100 / 3)
    assert percentage("e", "s", [1, 0, 2], [2, 0, 4]).value() == 50.0
    assert percentage("e", "s", [0, 0], [0, 0]).value() is None
    assert errors.lower_is_better and not Measure("m", "s", errors.statistics, ratio).lower_is_better


def test_intervals_by_hand() -> None:
    # Two lines, one wrong: a draw has 0, 1 or 2 wrong ones, with probabilities 1/4, 1/2, 1/4.
    mixed = percentage("e", "s", [1, 0])
    assert intervals({"e": mixed}) == {"e": (0.0, 100.0)}
    assert intervals({"e": percentage("e", "s", [0, 0])}) == {"e": (0.0, 0.0)}
    assert intervals({"e": percentage("e", "s", [0, 0], [0, 0])}) == {"e": None}
    assert intervals({}) == {}


def test_the_same_seed_gives_the_same_draws() -> None:
    measure = percentage("e", "s", [1, 0, 0, 1, 0, 0, 0, 1, 0, 0])
    again = intervals({"e": measure}, BootstrapOptions(draws=120, seed=3))
    assert intervals({"e": measure}, BootstrapOptions(draws=120, seed=3)) == again


def test_paired_comparison() -> None:
    worse, better = percentage("e", "s", [1] * 10), percentage("e", "s", [0] * 10)
    found = compare(worse, better, BootstrapOptions(draws=99))
    assert found is not None
    assert (found.first, found.other, found.difference, found.interval) == (100.0, 0.0, 100.0, (100.0, 100.0))
    assert found.p_value == 0.01
    same = compare(worse, worse, BootstrapOptions(draws=99))
    assert same is not None and (same.difference, same.p_value) == (0.0, 1.0)
    assert compare(percentage("e", "s", [0], [0]), percentage("e", "s", [0])) is None


def test_small_differences_have_a_side_too() -> None:
    worse, better = percentage("e", "s", [0.01] * 10), percentage("e", "s", [0] * 10)
    for first, other in ((worse, better), (better, worse)):
        found = compare(first, other, BootstrapOptions(draws=99))
        assert found is not None and abs(found.difference) == pytest.approx(1.0) and found.p_value == 0.01


def test_where_nothing_differs_overall_the_share_is_of_draws_not_below() -> None:
    one, other = percentage("e", "s", [1, 0, 0]), percentage("e", "s", [0, 0, 1])
    found = compare(one, other, BootstrapOptions(draws=9, seed=2))
    random = np.random.RandomState(2)
    drawn = [random.randint(3, size=3) for _ in range(9)]
    differences = [sum(one.statistics[rows, 0]) - sum(other.statistics[rows, 0]) for rows in drawn]
    above, below = sum(each >= 0 for each in differences), sum(each <= 0 for each in differences)
    assert above != below
    assert found is not None and (found.difference, found.p_value) == (0.0, (above + 1) / 10)


def test_where_no_draw_has_a_figure_there_is_no_interval() -> None:
    half = percentage("e", "s", [1, 0], [1, 0])
    seed = next(seed for seed in range(99) if np.random.RandomState(seed).randint(2, size=2).tolist() == [1, 1])
    found = compare(half, half, BootstrapOptions(draws=1, seed=seed))
    assert found is not None and np.isnan(found.interval).all()


def test_what_is_drawn_unless_said_otherwise() -> None:
    assert BootstrapOptions().signature == "bootstrap|draws:1000|seed:12345|level:0.95|percentiles"
    assert BootstrapOptions(draws=1).draws == 1


def test_refusals() -> None:
    with pytest.raises(InvalidInput, match="other"):
        compare(percentage("e", "s", [1]), percentage("e", "s", [1, 0]))
    with pytest.raises(InvalidInput, match="draws"):
        BootstrapOptions(draws=0)
    for level in (0.0, 1.0):
        with pytest.raises(InvalidInput, match="level"):
            BootstrapOptions(level=level)
