"""Sums by line: percentages, parts, and figures that are undefined."""

from __future__ import annotations

import numpy as np
import pytest

from controldag.errors import InvalidInput
from controldag.metrics.bootstrap import BootstrapOptions, compare, intervals
from controldag.metrics.measure import percentage


def test_percentages_overall_and_of_parts() -> None:
    errors = percentage("e", "s", [True, False, False, True])
    assert errors.value() == 50.0
    assert errors.value(np.array([0, 3])) == 100.0
    assert errors.part(np.array([0, 1, 2])).value() == pytest.approx(100 / 3)
    assert percentage("e", "s", [1, 0, 2], [2, 0, 4]).value() == 50.0
    assert percentage("e", "s", [0, 0], [0, 0]).value() is None


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


def test_refusals() -> None:
    with pytest.raises(InvalidInput, match="other"):
        compare(percentage("e", "s", [1]), percentage("e", "s", [1, 0]))
    with pytest.raises(InvalidInput, match="draws"):
        BootstrapOptions(draws=0)
    with pytest.raises(InvalidInput, match="level"):
        BootstrapOptions(level=1.0)
