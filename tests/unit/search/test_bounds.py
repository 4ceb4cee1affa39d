"""What the bound of many phrases is worth: searches that took seconds, or could not be done, within few states."""

from __future__ import annotations

import time

import numpy as np
import pytest

from controldag import _core
from controldag.constraints import Length, contains, pattern
from controldag.lattice import make_lattice
from controldag.search import Limits, NgramWeights, best_strings
from tools.slow_cases import graph, required


def states(phrases: int, length: Length | None, limits: Limits) -> tuple[float, int]:
    """The least objective, and the states that it took."""
    lattice, made = graph(200, 8, phrases)
    weights = np.empty(0) if length is None else length.weights(lattice.vertices - 1)
    found, stats = _core.search_exact(lattice.core, [each.core for each in required(made)], weights, limits.core())
    assert found is not None
    return found.objective, stats.states


@pytest.mark.parametrize("length", [None, Length(target=70)])
def test_sixteen_phrases_take_no_more_than_a_hundred_thousand_states(length: Length | None) -> None:
    assert states(16, length, Limits())[1] < 100_000  # 1,350,000 where the bound covers nine of them alone


def test_parts_of_the_bound_change_no_result() -> None:
    one, several = states(8, None, Limits()), states(8, None, Limits(closure_states=100))
    assert one[0] == pytest.approx(several[0])
    assert one[1] < several[1]


def test_a_pattern_that_no_text_can_hold_is_told_before_ngram_contexts_are_laid_out() -> None:
    tokens = range(60)
    emissions: list[list[tuple[int, float]]] = [[], *([(token, 1.0) for token in tokens] for _ in range(60)), []]
    arcs = [[(to, 0.5) for to in range(v + 1, min(v + 12, 62))] for v in range(62)]
    lattice = make_lattice(emissions, arcs, [f" {'a' * (1 + token % 3)}{token}".encode() for token in tokens])
    weights = NgramWeights.language_model({(token,): 1.0 for token in tokens}, {}, unknown=9.0, scale=0.5)
    begin = time.thread_time()
    assert best_strings(lattice, contains("a1") & pattern("a{1000}"), weights=weights) == []
    assert time.thread_time() - begin < 2
