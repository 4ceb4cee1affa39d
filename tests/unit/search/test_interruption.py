"""Deadlines and signals end what runs, wherever it is."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType

import numpy as np
import pytest

from benchmarks.engine.sweeps import peak_mb, reset_peak_mb
from benchmarks.engine.synthetic_dags import DagShape, SyntheticVocabulary, make_dag
from controldag.constraints import Constraint, Length, all_of, contains, pattern
from controldag.errors import LatticeTooLarge, SearchTooLong
from controldag.lattice import Lattice, prune
from controldag.search import ConstrainedLanguage, Limits, SearchItem, best_strings, search_batch

WORDS = SyntheticVocabulary(300)
ENDLESS = Limits(max_states=1 << 40, max_bytes=1 << 40, max_seconds=math.inf)  # a fast machine must not be done first


def graph(vertices: int, candidates: int, phrases: int) -> tuple[Lattice, Constraint]:
    shape = DagShape(vertices=vertices, candidates=candidates, phrases=phrases, phrase_tokens=2, everywhere=True)
    made = make_dag(WORDS, shape, np.random.default_rng(1))
    lattice = prune(made.dag(WORDS.surfaces), candidates, candidates, keep=made.phrases)
    return lattice, all_of(*(contains(text) for text in made.texts(WORDS.surfaces)))


def best(limits: Limits) -> object:
    lattice, wanted = graph(200, 8, 20)
    return best_strings(lattice, wanted, length=Length(target=70), limits=limits)


def batch(limits: Limits) -> object:
    lattice, wanted = graph(200, 8, 20)
    short = SearchItem(lattice, None)
    results = search_batch([short, *[SearchItem(lattice, wanted)] * 3], threads=2, limits=limits)
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


def sums(limits: Limits) -> object:
    lattice, wanted = graph(400, 16, 8)
    return ConstrainedLanguage(lattice, wanted, limits=limits)


def exploding(limits: Limits) -> object:
    lattice, _ = graph(200, 8, 2)
    wanted = all_of(*(pattern(f"(w|x|p)[a-z ]{{{n}}}x[a-z ]{{40}}p", full=False) for n in range(30, 60, 3)))
    return best_strings(lattice, wanted, limits=limits)


@pytest.fixture
def _alarm() -> Iterator[None]:
    def ring(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("search", [best, batch, sums, exploding])
def test_a_deadline_ends_it(search: Callable[[Limits], object]) -> None:
    begin = time.monotonic()
    with pytest.raises(SearchTooLong):
        search(replace(ENDLESS, until=begin + 0.4))
    assert time.monotonic() - begin < 2.0


@pytest.mark.parametrize("search", [best, sums, exploding])
def test_a_search_has_its_seconds(search: Callable[[Limits], object]) -> None:
    """Of a processor: beside other work it takes longer, and comes as far."""
    begin = time.thread_time()
    with pytest.raises(SearchTooLong, match=r"in its 0\.4 s"):
        search(replace(ENDLESS, max_seconds=0.4))
    assert 0.4 <= time.thread_time() - begin < 1.0
    assert Limits().max_seconds < 2.0


def test_each_search_of_a_batch_has_its_seconds() -> None:
    lattice, wanted = graph(200, 8, 20)
    long, short = SearchItem(lattice, wanted), SearchItem(lattice, None)
    begin = time.thread_time()
    *slow, quick = search_batch([long, long, long, short], threads=1, limits=replace(ENDLESS, max_seconds=0.2))
    assert all(isinstance(each, SearchTooLong) for each in slow)
    assert isinstance(quick, list)
    assert 0.6 < time.thread_time() - begin < 1.2


def test_sums_by_length_have_seconds_of_their_own() -> None:
    lattice, _ = graph(100, 4, 1)
    language = ConstrainedLanguage(lattice, limits=Limits(max_seconds=0.1))
    begin = time.thread_time()
    while time.thread_time() < begin + 0.1:
        pass
    assert language.length_distribution().sum() == pytest.approx(1.0)


def test_all_tables_of_a_search_count_together() -> None:
    """Those of the bound stood beside what was counted, and vectors that grew stood in two places."""
    lattice, wanted = graph(1_000, 4, 24)
    for n_best in (1, 200):
        before = reset_peak_mb()
        with pytest.raises(LatticeTooLarge):
            best_strings(lattice, wanted, n_best=n_best, limits=Limits(max_bytes=64 << 20, max_seconds=30.0))
        assert peak_mb() - before < 1.25 * 67


@pytest.mark.usefixtures("_alarm")
@pytest.mark.parametrize("search", [best, batch, sums])
def test_a_signal_ends_it(search: Callable[[Limits], object]) -> None:
    """As Ctrl-C does: its handler runs while the search does, and what it raises goes on as it is."""
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        search(ENDLESS)
    assert time.monotonic() - begin < 2.0
