"""Time and peak memory of searches that are known to be slow, at default limits, each in a process of its own.

`python -m tools.slow_cases` prints rows of the table in docs/engine.md; `--only n-best` those with that in their name;
`--out FILE` saves the figures.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.sweeps import peak_mb, reset_peak_mb
from benchmarks.engine.synthetic_dags import DagShape, SyntheticDag, SyntheticVocabulary, make_dag
from controldag.constraints import Constraint, Length, all_of, contains, pattern, vocabulary
from controldag.errors import ControlDagError
from controldag.lattice import Lattice, make_lattice, prune
from controldag.run_record import write_result
from controldag.search import ConstrainedLanguage, Limits, NgramWeights, best_strings

WORDS = SyntheticVocabulary(3_000)
LONGEST_SECONDS = 150.0
Search = Callable[[], object]


def graph(vertices: int, candidates: int, phrases: int) -> tuple[Lattice, SyntheticDag]:
    """A lattice in which every phrase may begin anywhere."""
    shape = DagShape(vertices=vertices, candidates=candidates, phrases=phrases, phrase_tokens=2, everywhere=True)
    made = make_dag(WORDS, shape, np.random.default_rng(1))
    return prune(made.dag(WORDS.surfaces), candidates, candidates, keep=made.phrases), made


def required(made: SyntheticDag) -> list[Constraint]:
    return [contains(text) for text in made.texts(WORDS.surfaces)]


def n_best(vertices: int, candidates: int, phrases: int, count: int, *, target: int = 0) -> Search:
    lattice, made = graph(vertices, candidates, phrases)
    length = Length(target=target) if target else None
    wanted = all_of(*required(made)) if phrases else None
    return lambda: best_strings(lattice, wanted, length=length, n_best=count)


def phrases(count: int, *, length: Length | None = None) -> Search:
    lattice, made = graph(200, 8, count)
    return lambda: best_strings(lattice, all_of(*required(made)), length=length)


def words_and_phrases(vertices: int, candidates: int, phrases: int, count: int, *, exact: int) -> Search:
    lattice, made = graph(vertices, candidates, phrases)
    wanted = all_of(*required(made), vocabulary(WORDS.word_list))
    return lambda: best_strings(lattice, wanted, length=Length(exact=exact), n_best=count)


def words_and_preferences(vertices: int, candidates: int, phrases: int, count: int) -> Search:
    lattice, made = graph(vertices, candidates, phrases)
    wanted = all_of(*(each.soft(6.0) for each in required(made)), vocabulary(WORDS.word_list))
    return lambda: best_strings(lattice, wanted, length=Length(target=60), n_best=count)


def preferences(count: int, *, length: Length | None = None) -> Search:
    lattice, made = graph(200, 8, count)
    return lambda: best_strings(lattice, all_of(*(each.soft(6.0) for each in required(made))), length=length)


def words_and_length(vertices: int, candidates: int) -> Search:
    lattice, made = graph(vertices, candidates, 3)
    wanted = all_of(*required(made), vocabulary(WORDS.word_list))
    return lambda: best_strings(lattice, wanted, length=Length(target=60))


def long_chain(vertices: int) -> Search:
    """Two tokens and two arcs at every vertex."""
    emissions: list[list[tuple[int, float]]] = [[], *([(0, 1.0), (1, 1.5)] for _ in range(vertices - 2)), []]
    arcs = [[(to, 0.1 * (to - v)) for to in (v + 1, v + 2) if to < vertices] for v in range(vertices)]
    lattice = make_lattice(emissions, arcs, [b" a", b" b"])
    return lambda: best_strings(lattice, contains("a b"), length=Length(target=vertices // 2))


def ngrams(candidates: int) -> Search:
    lattice, made = graph(200, candidates, 3)
    rng = np.random.default_rng(2)
    tokens = sorted(lattice.surfaces())
    pairs: dict[tuple[int, ...], float] = {
        (int(a), int(b)): float(rng.uniform(0.1, 6.0)) for a in tokens for b in rng.choice(tokens, 12)
    }
    weights = NgramWeights.language_model(
        {**pairs, **{(token,): 4.0 for token in tokens}}, {(token,): 1.0 for token in tokens}, unknown=9.0, scale=0.5
    )
    wanted = all_of(*required(made), vocabulary(WORDS.word_list))
    return lambda: best_strings(lattice, wanted, length=Length(target=60), weights=weights)


def sums_until() -> Search:
    lattice, made = graph(400, 16, 8)
    wanted = all_of(*required(made))
    return lambda: ConstrainedLanguage(lattice, wanted, limits=Limits(until=time.monotonic() + 1.0))


def pattern_until() -> Search:
    lattice, _ = graph(400, 16, 2)
    wanted = pattern("(a|w|x)*w.{18}x.{17}(p|w)")
    return lambda: best_strings(lattice, wanted, limits=Limits(until=time.monotonic() + 1.0))


CASES: dict[str, Callable[[], Search]] = {
    "n-best, 20 texts: 300 vertices, K = 24, 10 phrases": lambda: n_best(300, 24, 10, 20),
    "n-best, 1,000 texts with a length: 200 vertices, K = 8, 2 phrases": lambda: n_best(200, 8, 2, 1_000, target=60),
    "16 phrases: 200 vertices, K = 8": lambda: phrases(16),
    "24 phrases: 200 vertices, K = 8": lambda: phrases(24),
    "16 phrases and a length: 200 vertices, K = 8": lambda: phrases(16, length=Length(target=70)),
    "8 preferences and a length: 200 vertices, K = 8": lambda: preferences(8, length=Length(target=70)),
    "12 preferences: 200 vertices, K = 8": lambda: preferences(12),
    "words and an exact length, 20 texts: 400 vertices, K = 16": lambda: words_and_phrases(400, 16, 0, 20, exact=55),
    "24 phrases, words and an exact length: 400 vertices, K = 32": lambda: words_and_phrases(400, 32, 24, 1, exact=55),
    "24 preferences, words and a length, 1,000 texts: 200 vertices, K = 16": lambda: words_and_preferences(
        200, 16, 24, 1_000
    ),
    "vocabulary and length: 1,000 vertices, K = 8": lambda: words_and_length(1_000, 8),
    "length: 30,000 vertices, K = 2": lambda: long_chain(30_000),
    "n-gram weights: 200 vertices, K = 8": lambda: ngrams(8),
    "n-gram weights: 200 vertices, K = 16": lambda: ngrams(16),
    "sums with a deadline of 1 s: 400 vertices, K = 16, 8 phrases": sums_until,
    "pattern that explodes with a deadline of 1 s": pattern_until,
}


def measure(name: str, results: Connection) -> None:
    """Sends outcome, seconds (by the clock and of the processor) and megabytes of one case."""
    search = CASES[name]()
    before = reset_peak_mb()
    begin, spent = time.monotonic(), time.thread_time()
    try:
        search()
        outcome = "answered"
    except ControlDagError as error:
        outcome = type(error).__name__
    except MemoryError:
        outcome = "MemoryError"
    results.send((outcome, time.monotonic() - begin, time.thread_time() - spent, peak_mb() - before))


def measured(name: str) -> dict[str, Any]:
    """One row of the table; a case that takes too long is ended."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(name, theirs))
    process.start()
    theirs.close()
    try:
        found = ours.recv() if ours.poll(LONGEST_SECONDS) else ("ended", LONGEST_SECONDS, LONGEST_SECONDS, 0.0)
    except EOFError:
        found = ("killed", 0.0, 0.0, 0.0)
    process.kill()
    process.join()
    outcome, seconds, spent, megabytes = found
    figures = {"seconds": round(seconds, 3), "processor_seconds": round(spent, 3), "peak_mb": round(megabytes, 1)}
    return {"outcome": outcome, **figures}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.slow_cases", description=__doc__)
    parser.add_argument("--only", default="", help="part of the names of the cases to run")
    parser.add_argument("--out", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    rows = {}
    for name in CASES:
        if options.only in name:
            rows[name] = measured(name)
            print(
                f"| {name} |",
                "{outcome} | {processor_seconds:.1f} s | {peak_mb:,.0f} MB |".format(**rows[name]),
                flush=True,
            )
    if options.out:
        write_result(
            options.out, rows, {"limits": {name: cap for name, cap in asdict(Limits()).items() if cap < math.inf}}
        )


if __name__ == "__main__":
    main()
