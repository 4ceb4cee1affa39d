"""How the engine's latency and memory grow: one size varied at a time, each point in a process of its own."""

from __future__ import annotations

import ctypes
import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.engine.run import (
    PAPER_WORDS,
    UNHURRIED,
    MakeConstraint,
    Track,
    byte_constraint,
    decode,
    latency,
    length_for,
    timed,
    token_constraint,
)
from benchmarks.engine.synthetic_dags import DagShape, SyntheticDag, SyntheticVocabulary, make_dags
from controldag.errors import InvalidInput
from controldag.lattice import prune
from controldag.search.batch import SearchItem, search_batch

HARD = DagShape(spread=0.3)
SECONDS_PER_POINT = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepOptions:
    """cases: DAGs per point; repetitions: runs on each; batch: how many searches the thread test runs."""

    cases: int = 12
    repetitions: int = 10
    batch: int = 1_000


SETTINGS = {
    "phrases": "L = 200, K = 3, 52 tokens",
    "vertices": "K = 3, 3 phrases, 40 tokens",
    "Ke = Kt": "L = 200, 3 phrases, 52 tokens",
    "words": "L = 200, K = 3, 3 phrases, 52 tokens",
    "length": "L = 400, K = 3, 3 phrases",
}
"""What each sweep holds still; all are hard (phrases may start at 30 % of the vertices)."""


@dataclass(frozen=True, slots=True)
class Point:
    """One size of one sweep."""

    sweep: str
    value: int
    shape: DagShape
    words: int = PAPER_WORDS


def points() -> list[Point]:
    """All points of all sweeps."""
    phrases = [Point("phrases", n, replace(HARD, phrases=n)) for n in (0, 1, 2, 3, 4, 5, 6, 7, 8)]
    # The text stays as long, so that only the graph grows; it has to fit into the smallest.
    vertices = [Point("vertices", n, replace(HARD, vertices=n, length=40)) for n in (50, 100, 200, 400, 700, 1_000)]
    candidates = [Point("Ke = Kt", n, replace(HARD, candidates=n)) for n in (3, 5, 8, 16, 32)]
    words = [Point("words", n, HARD, n) for n in (1_000, 5_000, 20_000, 50_000, 200_000)]
    lengths = [Point("length", n, replace(HARD, vertices=400, length=n)) for n in (10, 25, 50, 100, 200)]
    return [*phrases, *vertices, *candidates, *words, *lengths]


def worst_point() -> Point:
    """Eight phrases with every phrase token at every vertex."""
    return Point("worst", 8, replace(HARD, phrases=8, everywhere=True))


def run_sweeps(
    options: SweepOptions, track: Track[Any] = lambda items, _: items, chosen: Sequence[Point] | None = None
) -> dict[str, Any]:
    """Latency and memory at every point, in the worst case, and a batch with one and two threads."""
    by_sweep: dict[str, list[dict[str, Any]]] = {}
    for point in track(points() if chosen is None else chosen, "sweeps"):
        by_sweep.setdefault(point.sweep, []).append(in_own_process(measure_point, point, options))
    return {
        "latency": by_sweep,
        "worst": in_own_process(measure_point, worst_point(), options),
        "batch": in_own_process(measure_batch, HARD, options.batch),
        "options": asdict(options),
    }


def in_own_process(work: Callable[..., dict[str, Any]], *arguments: object) -> dict[str, Any]:
    """What `work` returns in a fresh process: its memory is then its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def measure_point(point: Point, options: SweepOptions) -> dict[str, Any]:
    """Latency from arrays to string at one point, and the memory that the searches and the dictionary took."""
    words = SyntheticVocabulary(point.words)
    dags = list(itertools.islice(make_dags(words, point.shape), options.cases))
    _ = words.surfaces.core  # made once per model, not per word list
    before = resident_mb()
    start = time.perf_counter()
    _ = words.dictionary, words.word_list
    dictionary = {"dictionary_ms": 1e3 * (time.perf_counter() - start), "dictionary_mb": resident_mb() - before}
    figures: dict[str, Any] = {"value": point.value, **dictionary, "cases": len(dags)}
    before = reset_peak_mb()
    for name, constraint in (("tokens", token_constraint), ("bytes", byte_constraint)):
        figures[name] = _measure(words, dags, constraint, options.repetitions)
    return {**figures, "peak_mb": peak_mb() - before}


def _measure(
    words: SyntheticVocabulary, dags: Sequence[SyntheticDag], constraint: MakeConstraint, repetitions: int
) -> dict[str, float]:
    rounds = [(dag, length_for(dag)) for dag in dags] * repetitions
    infeasible = sum(decode(words, dag, length, constraint) is None for dag, length in rounds[: len(dags)])
    spans = timed(rounds, lambda pair: decode(words, pair[0], pair[1], constraint), SECONDS_PER_POINT)
    keep = dags[0].shape.candidates
    pruning = timed(dags, lambda dag: prune(dag.dag(words.surfaces), keep, keep, keep=dag.phrases))
    return {**latency(spans), "prune_ms": latency(pruning)["cpu_ms"], "infeasible": infeasible}


def measure_batch(shape: DagShape, size: int, rounds: int = 5) -> dict[str, Any]:
    """Seconds that a batch of searches takes with one and with two threads: the least of some rounds."""
    if size < 1:
        raise InvalidInput.of("size", "be at least 1", size)
    words = SyntheticVocabulary(PAPER_WORDS)
    items = list(itertools.islice(itertools.cycle(_items(words, shape, min(size, 100))), size))
    seconds = {1: math.inf, 2: math.inf}
    processor = {1: math.inf, 2: math.inf}  # of all threads: shows whether a second thread costs work or waits
    results = {}
    for threads in (1, 2) * rounds:
        start, used = time.perf_counter(), time.process_time()
        results[threads] = search_batch(items, threads=threads, limits=UNHURRIED)
        seconds[threads] = min(seconds[threads], time.perf_counter() - start)
        processor[threads] = min(processor[threads], time.process_time() - used)
    return {
        "size": size,
        "seconds_1": seconds[1],
        "seconds_2": seconds[2],
        "cpu_seconds_1": processor[1],
        "cpu_seconds_2": processor[2],
        "speedup": seconds[1] / seconds[2],
        "same_results": results[1] == results[2],
    }


def _items(words: SyntheticVocabulary, shape: DagShape, count: int) -> Iterator[SearchItem]:
    for dag in itertools.islice(make_dags(words, shape), count):
        lattice = prune(dag.dag(words.surfaces), shape.candidates, shape.candidates, keep=dag.phrases)
        yield SearchItem(lattice, byte_constraint(words, dag), length_for(dag))


def resident_mb() -> float:
    """This process's memory now; 0 where the system does not say."""
    return _status_mb("VmRSS")


def peak_mb() -> float:
    """This process's greatest memory since `reset_peak_mb`; 0 where the system does not say."""
    return _status_mb("VmHWM")


def reset_peak_mb() -> float:
    """This process's memory now, from which the peak is measured anew."""
    with suppress(OSError, AttributeError):
        # Else the searches would live in what building the dictionary freed, and seem to need nothing.
        ctypes.CDLL(None).malloc_trim(0)
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return resident_mb()


def _status_mb(key: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{key}:")), 0.0)
