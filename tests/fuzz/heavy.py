"""Searches as large as anybody may ask for: whatever they find, they keep to their limits of time and memory."""

from __future__ import annotations

import time
from functools import lru_cache
from random import Random

import numpy as np

from benchmarks.engine.sweeps import peak_mb, reset_peak_mb
from benchmarks.engine.synthetic_dags import DagShape, SyntheticVocabulary, make_dag
from controldag.constraints import Constraint, Length, all_of, contains, pattern, vocabulary
from controldag.errors import ControlDagError, Infeasible, InvalidInput, LatticeTooLarge, SearchTooLong
from controldag.lattice import Lattice, prune
from controldag.search import (
    ConstrainedLanguage,
    Limits,
    SearchItem,
    best_strings,
    exact,
    search_batch,
)
from tests.fuzz.dense import LETTERS, WORDS, dense_lattice, letter_demands, pair_weights
from tests.reference.compare import bounds_of

SECONDS = 0.4
MEGABYTES = 128
# Beside a quarter: what a lattice and its automata take before the search begins, and a look at the clock between.
_SLACK_SECONDS, _SLACK_MEGABYTES = 0.1, 24
_PATTERNS = ("a{1000}", "(w|x)*w(w|x){200}zz", "[a-z]{300}", "w.{40}x.{40}p")


@lru_cache(maxsize=1)
def words() -> SyntheticVocabulary:
    return SyntheticVocabulary(3_000)


def random_heavy(rng: Random) -> tuple[Lattice, list[Constraint]]:
    """Up to 1,000 vertices with up to 32 tokens, and up to 24 phrases, hard and soft, words and patterns."""
    shape = DagShape(
        vertices=rng.choice((60, 60, 200, 200, 1_000)),
        candidates=(candidates := rng.choice((2, 8, 32))),
        phrases=rng.choice((1, 8, 24)),
        phrase_tokens=2,
        everywhere=rng.random() < 0.5,
    )
    made = make_dag(words(), shape, np.random.default_rng(rng.randrange(1 << 30)))
    lattice = prune(made.dag(words().surfaces), candidates, candidates, keep=made.phrases)
    wanted: list[Constraint] = []
    for text in made.texts(words().surfaces):
        each = contains(text) if rng.random() < 0.9 else ~contains(text)
        wanted.append(each.soft(rng.choice((0.5, 6.0, 1e9))) if rng.random() < 0.3 else each)
    if rng.random() < 0.3:
        wanted.append(vocabulary(words().word_list))
    if rng.random() < 0.3:
        wanted.append(pattern(rng.choice(_PATTERNS)))
    if rng.random() < 0.1:
        wanted.append(contains("zz") & ~contains("zz"))
    return lattice, wanted


def random_dense(rng: Random) -> tuple[Lattice, list[Constraint]]:
    """An arc from each vertex to up to 2,000 others, and automata that take thousands of states."""
    tokens = rng.choice((LETTERS, WORDS))
    vertices, candidates = rng.choice((60, 300, 1_000, 2_000)), rng.choice((2, 8, 32))
    reach = vertices if vertices * candidates < 5_000 else 30
    lattice = dense_lattice(tokens, vertices, candidates, reach, rng.randrange(2))
    if tokens is LETTERS:
        return lattice, letter_demands(rng)
    texts = [" ".join(word.decode().strip() for word in rng.choices(WORDS, k=2)) for _ in range(rng.choice((1, 8, 24)))]
    wanted = [contains(text).soft(5.0) if rng.random() < 0.6 else ~contains(text) for text in texts]
    if rng.random() < 0.3:
        wanted.append(vocabulary([word.decode().strip() for word in WORDS[::2]]))
    return lattice, wanted


def heavy_faults(seed: int) -> list[str]:
    """What passed its limits by more than a quarter, or raised what it must not."""
    rng = Random(seed)
    lattice, wanted = random_heavy(rng) if rng.random() < 0.6 else random_dense(rng)
    length = rng.choice((None, Length(target=60), Length(exact=55), Length(maximum=30)))
    before, begin = reset_peak_mb(), time.thread_time()
    limits = Limits(max_bytes=MEGABYTES << 20, until=time.monotonic() + SECONDS)
    try:
        match rng.random():
            case roll if roll < 0.5:
                best_strings(lattice, all_of(*wanted), length=length, n_best=rng.choice((1, 1, 20, 500)), limits=limits)
            case roll if roll < 0.7:
                exact(lattice, all_of(*wanted), length=length, limits=limits)
            case roll if roll < 0.8:
                weights = pair_weights(rng, lattice)
                best_strings(
                    lattice, all_of(*wanted), length=length, n_best=rng.choice((1, 5)), limits=limits, weights=weights
                )
            case roll if roll < 0.9:
                ConstrainedLanguage(lattice, all_of(*wanted), length=bounds_of(length), limits=limits)
            case _:
                items = [SearchItem(lattice, each, length=length) for each in (*wanted[:2], all_of(*wanted))]
                search_batch(items, limits=limits, threads=1)
    except (Infeasible, InvalidInput, LatticeTooLarge, SearchTooLong):
        pass
    except ControlDagError as error:
        return [f"heavy_faults({seed}): {error}"]
    spent, taken = time.thread_time() - begin, peak_mb() - before
    faults = []
    if spent > 1.25 * SECONDS + _SLACK_SECONDS:
        faults.append(f"heavy_faults({seed}): {spent:.2f} s of {SECONDS} s")
    if taken > 1.25 * MEGABYTES + _SLACK_MEGABYTES:
        faults.append(f"heavy_faults({seed}): {taken:.0f} MB of {MEGABYTES} MB")
    return faults
