"""Tables that grow with vertices, arcs, lengths and contexts keep to a search's limits of time and memory."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random

import pytest

from benchmarks.engine.sweeps import peak_mb, reset_peak_mb
from controldag.constraints import Length, contains, pattern, vocabulary
from controldag.constraints.algebra import conjuncts
from controldag.errors import LatticeTooLarge, SearchTooLong
from controldag.search import Limits, best_strings
from controldag.search.infeasible import explain_infeasible
from tests.fuzz.dense import LETTERS, WORDS, dense_lattice, pair_weights
from tests.unit.search.test_interruption import graph


@pytest.mark.parametrize("n_best", [1, 20])
def test_costs_by_length_are_worked_out_under_the_clock(n_best: int) -> None:
    """Four million arcs times thousand lengths: 1.5 seconds, of 0.2 that were allowed."""
    lattice = dense_lattice(WORDS, 3_000, 2, 3_000)
    begin = time.thread_time()
    with pytest.raises(SearchTooLong):
        best_strings(lattice, length=Length(target=500), n_best=n_best, limits=Limits(max_seconds=0.2))
    assert time.thread_time() - begin < 1.25 * 0.2 + 0.1


def test_what_a_graph_over_lengths_holds_is_counted() -> None:
    """Costs of vertices that were done kept their memory: 590 MB where 134 were allowed."""
    lattice = dense_lattice(WORDS, 2_000, 2, 30, 1)
    words = vocabulary([word.decode().strip() for word in WORDS[::2]])
    length, limits = Length(target=200, strictness=0.5), Limits(max_bytes=128 << 20, max_seconds=60.0)
    before = reset_peak_mb()
    with suppress(LatticeTooLarge):
        best_strings(lattice, words, length=length, limits=limits)
    assert peak_mb() - before < 1.25 * 134


def test_contexts_of_ngram_weights_are_counted_before_they_are_laid_out() -> None:
    """96 MB, of 34 that were allowed."""
    lattice = dense_lattice(LETTERS, 200, 32, 5)
    weights, limits = pair_weights(Random(1), lattice), Limits(max_bytes=32 << 20, max_seconds=60.0)
    before = reset_peak_mb()
    with pytest.raises(LatticeTooLarge, match="memory"):
        best_strings(lattice, contains("ab" * 5) & contains("ba" * 5), weights=weights, limits=limits)
    assert peak_mb() - before < 1.25 * 34 + 10


def test_checks_of_a_conflict_share_their_seconds() -> None:
    """Each had those of the whole call."""
    lattice, wanted = graph(200, 8, 16)
    members = conjuncts(wanted & contains("zz") & pattern("[a-z ]{40}x[a-z ]{30}p"))
    begin = time.thread_time()
    found = explain_infeasible(lattice, members, Length(exact=60), Limits(max_seconds=0.2).core(), seconds=60.0)
    assert time.thread_time() - begin < 1.25 * 0.2 + 0.1
    assert not found.minimised
