"""The engine against pynini on the same lattices: latency, and whether anyone ever finds a better string."""

from __future__ import annotations

import gc
import itertools
import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np

from benchmarks.engine.pynini_peers import PaperPeer, Peer, PeerResult, TunedListsPeer, TunedPeer, shortest
from benchmarks.engine.synthetic_dags import DagShape, SyntheticDag, SyntheticVocabulary, make_dags
from controldag.constraints.algebra import Constraint, all_of
from controldag.constraints.length import Length
from controldag.constraints.lexical import contains
from controldag.constraints.token_level import contains_tokens, token_vocabulary
from controldag.constraints.vocabulary import vocabulary
from controldag.lattice import prune
from controldag.search.exact import Limits, best_strings
from controldag.search.result import Hypothesis

T = TypeVar("T")
Track = Callable[[Iterable[T], str], Iterable[T]]
"""Passes items through, showing how far along they are."""
Instant = tuple[float, float]
Span = tuple[float, float]

PAPER_WORDS = 1_129
UNHURRIED = Limits(max_seconds=math.inf)  # how long it takes is what is measured
LENGTH_SLACK = 10  # lengths up to so much above the target are searched, by everyone
TOLERANCE = 1e-3  # costs are summed in single precision by OpenFst


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """cases: DAGs per cell; repetitions: how often ours runs on each (pynini's runs once); lists: whether the tuned
    peer is also shown with its dynamic programme in plain Python."""

    cases: int = 30
    repetitions: int = 30
    words: int = PAPER_WORDS
    seed: int = 0
    lists: bool = True

    @classmethod
    def quick(cls) -> BenchOptions:
        """What fits into a minute."""
        return cls(cases=5, repetitions=20, lists=False)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the comparison."""

    name: str
    shape: DagShape


def paper_cells(vertices: int = 200) -> list[Setting]:
    """K = 3 and 5, easy and hard (phrases may start at 30 % of the vertices)."""
    return [
        Setting(f"K={k} {name}", DagShape(vertices=vertices, candidates=k, spread=spread))
        for name, spread in (("easy", 0.0), ("hard", 0.3))
        for k in (3, 5)
    ]


def length_for(dag: SyntheticDag) -> Length:
    """The paper's soft length (A = 1) at the reference's, with a hard maximum a little above."""
    return Length(target=dag.target_length, strictness=1.0, maximum=dag.target_length + LENGTH_SLACK)


def token_constraint(words: SyntheticVocabulary, dag: SyntheticDag) -> Constraint:
    """The language the peers build, over token ids."""
    return all_of(token_vocabulary(words.dictionary, dag.phrases), *map(contains_tokens, dag.phrases))


def byte_constraint(words: SyntheticVocabulary, dag: SyntheticDag) -> Constraint:
    """The library's own constraints on the surface text: a vocabulary of words and entities, and phrases."""
    names = dag.texts(words.surfaces)
    return all_of(vocabulary(words.word_list, entities=names, numbers=()), *map(contains, names))


MakeConstraint = Callable[[SyntheticVocabulary, SyntheticDag], Constraint]


def decode(
    words: SyntheticVocabulary, dag: SyntheticDag, length: Length | None, constraint: MakeConstraint = token_constraint
) -> Hypothesis | None:
    """Ours from arrays to string: prune, build the constraints, search; None where nothing satisfies them."""
    keep = dag.shape.candidates
    lattice = prune(dag.dag(words.surfaces), keep, keep, keep=dag.phrases)
    found = best_strings(lattice, constraint(words, dag), length=length, limits=UNHURRIED)
    return found[0] if found else None


def compare(
    cells: Sequence[Setting], options: BenchOptions, track: Track[Any] = lambda items, _: items
) -> dict[str, Any]:
    """Every cell's figures, and over cells the median speed-up against each peer and how often ours was worse.

    Speed-ups are ratios of median processor times: on an idle machine those are the latencies, on a busy one they are
    still fair, while others interrupt a long request more often than a short one.
    """
    words = SyntheticVocabulary(options.words)
    peers = _peers(words, options)
    figures = []
    for cell in cells:
        dags = list(itertools.islice(make_dags(words, cell.shape, options.seed), options.cases))
        figures.append(_compare_dags(cell.name, dags, words, peers, options, track))

    def middle(key: str) -> float:
        return float(statistics.median(cell[key] for cell in figures))

    return {
        **{key: middle(key) for key in (f"speedup_vs_{peer.name}" for peer in peers)},
        "worse_cost": sum(cell["worse_cost"] for cell in figures),
        "cases": sum(cell["cases"] for cell in figures),
        "median_ms": statistics.median(cell["ours"]["median_ms"] for cell in figures),
        "median_cpu_ms": statistics.median(cell["ours"]["cpu_ms"] for cell in figures),
        "cells": figures,
        "options": asdict(options),
    }


def compare_real(
    words: SyntheticVocabulary,
    dags: Sequence[SyntheticDag],
    options: BenchOptions,
    track: Track[Any] = lambda items, _: items,
) -> dict[str, Any]:
    """The figures of one cell of DAGs that a model predicted (`real_dags`), `options.cases` of them at most."""
    return _compare_dags("real", dags[: options.cases], words, _peers(words, options), options, track)


def _peers(words: SyntheticVocabulary, options: BenchOptions) -> list[Peer]:
    peers: list[Peer] = [PaperPeer(words), TunedPeer(words)]
    return [*peers, TunedListsPeer(words)] if options.lists else peers


def _compare_dags(
    name: str,
    dags: Sequence[SyntheticDag],
    words: SyntheticVocabulary,
    peers: Sequence[Peer],
    options: BenchOptions,
    track: Track[Any],
) -> dict[str, Any]:
    ours = measure_ours(words, dags, options.repetitions, token_constraint)
    in_bytes = measure_ours(words, dags, options.repetitions, byte_constraint)
    figures: dict[str, Any] = {
        "name": name,
        "cases": len(dags),
        "infeasible": sum(found is None for found in ours.free),
        "ours": ours.latency,
        "ours_no_length": ours.free_latency,
        "ours_bytes": in_bytes.latency,
        "ours_bytes_infeasible": sum(found is None for found in in_bytes.controlled),
        "ours_stages": _stages(words, dags, options.repetitions),
    }
    worse = 0
    for peer in peers:
        theirs = _measure_peer(peer, track(dags, f"{name}, {peer.name}"))
        figures[peer.name] = theirs.latency
        figures[f"{peer.name}_no_length"] = theirs.free_latency
        figures[f"{peer.name}_found_nothing"] = sum(found is None for found in theirs.controlled)
        figures[f"{peer.name}_costs_more"] = _count_worse(theirs.controlled, ours.controlled)
        figures[f"speedup_vs_{peer.name}"] = theirs.latency["cpu_ms"] / ours.latency["cpu_ms"]
        figures[f"speedup_vs_{peer.name}_no_length"] = theirs.free_latency["cpu_ms"] / ours.free_latency["cpu_ms"]
        worse += _count_worse(ours.controlled, theirs.controlled) + _count_worse(ours.free, theirs.free)
    return {**figures, "worse_cost": worse}


Result = Hypothesis | PeerResult | None


@dataclass(frozen=True, slots=True)
class Measured:
    """One system on the DAGs of a cell, with length control and without (`free`)."""

    controlled: Sequence[Result]
    free: Sequence[Result]
    latency: dict[str, float]
    free_latency: dict[str, float]


def measure_ours(
    words: SyntheticVocabulary, dags: Sequence[SyntheticDag], repetitions: int, constraint: MakeConstraint
) -> Measured:
    """Results and latencies of `decode`, each DAG in turn, `repetitions` times over."""
    lengths = [length_for(dag) for dag in dags]
    controlled = [decode(words, dag, length, constraint) for dag, length in zip(dags, lengths, strict=True)]
    free = [decode(words, dag, None, constraint) for dag in dags]
    rounds = list(zip(dags, lengths, strict=True)) * repetitions
    with_length = timed(rounds, lambda pair: decode(words, pair[0], pair[1], constraint))
    without = timed(rounds, lambda pair: decode(words, pair[0], None, constraint))
    return Measured(controlled, free, latency(with_length), latency(without))


def _measure_peer(peer: Peer, dags: Iterable[SyntheticDag]) -> Measured:
    """Results and latencies of a peer: composing counts for both, the searches each for its own."""
    controlled, free, with_length, without = [], [], [], []
    gc.collect()
    for dag in dags:
        start = now()
        fst = peer.compose(dag)
        composed = now()
        free.append(shortest(fst))
        found = now()
        controlled.append(peer.controlled(fst, length_for(dag)))
        composing, searching = span(start, composed), span(found, now())
        with_length.append((composing[0] + searching[0], composing[1] + searching[1]))
        without.append(span(start, found))
    return Measured(controlled, free, latency(with_length), latency(without))


def _stages(words: SyntheticVocabulary, dags: Sequence[SyntheticDag], repetitions: int) -> dict[str, float]:
    """Median milliseconds (of processor time) of each part of ours."""
    rounds = list(dags) * repetitions
    keep = dags[0].shape.candidates
    lattices = {id(dag): prune(dag.dag(words.surfaces), keep, keep, keep=dag.phrases) for dag in dags}
    wanted = {id(dag): (token_constraint(words, dag), length_for(dag)) for dag in dags}

    def search(dag: SyntheticDag) -> list[Hypothesis]:
        constraint, length = wanted[id(dag)]
        return best_strings(lattices[id(dag)], constraint, length=length, limits=UNHURRIED)

    stages: dict[str, Callable[[SyntheticDag], Any]] = {
        "prune_ms": lambda dag: prune(dag.dag(words.surfaces), keep, keep, keep=dag.phrases),
        "constraints_ms": lambda dag: token_constraint(words, dag),
        "search_ms": search,
    }
    return {name: latency(timed(rounds, stage))["cpu_ms"] for name, stage in stages.items()}


def _count_worse(results: Sequence[Result], others: Sequence[Result]) -> int:
    """How many results have a higher objective than the others', or are missing where the other is there."""
    return sum(
        other is not None and (result is None or result.objective > other.objective + TOLERANCE)
        for result, other in zip(results, others, strict=True)
    )


def now() -> Instant:
    """Wall-clock time and this thread's processor time, in seconds."""
    return time.perf_counter(), time.thread_time()


def timed(items: Sequence[T], work: Callable[[T], Any], limit: float = math.inf) -> list[Span]:
    """How long each call took, once the first few have warmed caches up; stops early after `limit` seconds."""
    for item in itertools.islice(items, 5):
        work(item)
    gc.collect()  # what others left behind is not ours to pay for
    spans: list[Span] = []
    begin = time.perf_counter()
    for item in items:
        start = now()
        work(item)
        spans.append(span(start, now()))
        if time.perf_counter() - begin > limit:
            break
    return spans


def span(start: Instant, end: Instant) -> Span:
    """What passed between two instants."""
    return end[0] - start[0], end[1] - start[1]


def latency(spans: Sequence[Span]) -> dict[str, float]:
    """Median and 99th percentile of the wall-clock time and of the processor time, in milliseconds."""
    wall, processor = (1e3 * np.array(spans)).T
    return {
        "median_ms": float(np.median(wall)),
        "p99_ms": float(np.quantile(wall, 0.99)),
        "cpu_ms": float(np.median(processor)),
        "cpu_p99_ms": float(np.quantile(processor, 0.99)),
    }
