"""Speed from request to string, beside quality: Control-DAG against its autoregressive twin, run in several ways."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

import numpy as np

from benchmarks.end_to_end.twins import Peer, bare_step_ms, reference_lengths
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import ControlDagError
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.bleu import corpus_bleu
from controldag.metrics.slot_error import slot_error_rate
from controldag.pipeline import ControlDag

OURS = "control-dag"
Track = Callable[[Iterable[Any], str], Iterator[Any]]
# Stages of a result that belong to the search.
_SEARCH = ("prune", "search", "widen", "unconstrained")
_WARM_CALLS = 5


@dataclass(frozen=True, slots=True)
class EndToEndOptions:
    """batches: requests in a call. seconds: for a system and batch size; the largest batch always sees all turns."""

    batches: tuple[int, ...] = (1, 8, 64, 256)
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Timing:
    """One system at one batch size, warm: latency of a call, and texts a second."""

    calls: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    utterances_per_s: float
    length: float  # median tokens of a text, `</s>` counted
    stages: dict[str, float] = field(default_factory=dict)  # median milliseconds a text


@dataclass(slots=True)
class Measured:
    """Everything measured for one system."""

    cells: dict[int, Timing] = field(default_factory=dict)
    bleu: float | None = None
    ser: float | None = None
    errors: int = 0
    texts: list[str] = field(default_factory=list)


def bench_end_to_end(
    ours: ControlDag,
    peers: Sequence[Peer],
    examples: Sequence[Example],
    options: EndToEndOptions,
    track: Track,
    variants: Sequence[str] = (),
) -> dict[str, Any]:
    """One object with every figure, ready for JSON; `track` shows progress. `variants` of ours are measured as well."""
    measured: dict[str, Measured] = {}
    floor: dict[int, float] = {}
    own = {name: Peer(f"{OURS}, {name}", ours.variant(name), OURS, warm_all=True) for name in variants}
    systems = [Peer(OURS, ours, OURS, warm_all=True), *own.values(), *peers]
    for peer in track(systems, "systems"):
        measured[peer.name] = measure(peer, examples, options)
        if peer.name == OURS:  # right after it: a machine's speed changes with what else it does
            floor = {batch: forward_floor(ours, examples, batch, options.seconds) for batch in options.batches}
        if peer.trained:
            judge(measured[peer.name], examples, ours.knowledge.schema)
    figures = figures_of(measured, floor, peers)
    if own:
        figures["variants"] = {name: summary_of(measured, peer.name, floor, peers) for name, peer in own.items()}
    step = bare_step_ms(peers, examples[0])
    if step is not None:
        cell = measured["ar-greedy, fast"].cells[min(floor)]
        # What an untrained twin says is no text, but it is as long as the references.
        steps = cell.length if peers[0].trained else median(reference_lengths(ours, examples).values())
        figures["fast_step_ms"] = step
        figures["fast_greedy_over_its_steps"] = cell.p50_ms / (step * steps)
    return figures


def measure(peer: Peer, examples: Sequence[Example], options: EndToEndOptions) -> Measured:
    """One system at every batch size, the largest first: that run sees all turns and gives the texts."""
    found = Measured()
    for number, batch in enumerate(sorted(options.batches, reverse=True)):
        calls = [
            [Request(example, decoder=peer.decoder) for example in examples[first : first + batch]]
            for first in range(0, len(examples), batch)
        ]
        for call in calls if peer.warm_all else calls[:_WARM_CALLS]:
            peer.model.generate_batch(call)
        times, results = _timed(peer.model, calls, options.seconds if number else float("inf"))
        found.cells[batch] = _cell(times, results, batch)
        if not number:
            found.texts = [each.text if isinstance(each, Result) else "" for each in results]
            found.errors = sum(not isinstance(each, Result) for each in results)
    return found


def _timed(
    model: ControlDag, calls: Sequence[Sequence[Request]], seconds: float
) -> tuple[list[float], list[Result | ControlDagError]]:
    times: list[float] = []
    results: list[Result | ControlDagError] = []
    began = time.perf_counter()
    for call in calls:
        start = time.perf_counter()
        results += model.generate_batch(call)
        times.append(time.perf_counter() - start)
        if time.perf_counter() - began > seconds and len(times) >= _WARM_CALLS:
            break
    return times, results


def _cell(times: Sequence[float], results: Sequence[Result | ControlDagError], batch: int) -> Timing:
    p50, p95, p99 = (float(each) for each in np.percentile(1000 * np.array(times), (50, 95, 99)))
    good = [each for each in results if isinstance(each, Result)]
    names = dict.fromkeys(name for each in good for name in each.ms)
    stages = {name: median(each.ms.get(name, 0.0) for each in good) for name in names}
    if batch == 1 and good:
        stages["other"] = max(0.0, median(1000 * t for t in times) - sum(stages.values()))
    length = median([each.length for each in good] or [0])
    return Timing(len(times), p50, p95, p99, len(results) / sum(times), length, stages)


def judge(measured: Measured, examples: Sequence[Example], schema: Schema | None) -> None:
    """BLEU and slot errors of the texts; a turn without a text counts as an empty one."""
    known = [(text, each) for text, each in zip(measured.texts, examples, strict=True) if each.references]
    if known:
        measured.bleu = corpus_bleu([text for text, _ in known], [each.references for _, each in known]).score
    if schema is not None and all(each.acts for each in examples):
        measured.ser = slot_error_rate(examples, measured.texts, schema).rate


def forward_floor(model: ControlDag, examples: Sequence[Example], batch: int, seconds: float) -> float:
    """Median milliseconds of a bare forward pass over so many turns: what nothing can be faster than."""
    times = []
    began = time.perf_counter()
    for first in range(0, len(examples), batch):
        items = [model.prepare(Request(example)) for example in examples[first : first + batch]]
        start = time.perf_counter()
        for group in model.predictor.batches([item.source for item in items]):
            model.predict([items[i] for i in group])
        times.append(1000 * (time.perf_counter() - start))
        if time.perf_counter() - began > seconds:
            break
    return median(times)


def figures_of(measured: dict[str, Measured], floor: dict[int, float], peers: Sequence[Peer]) -> dict[str, Any]:
    """All figures, and the few that sum them up."""
    systems = {
        name: {
            "bleu": each.bleu,
            "ser": each.ser,
            "errors": each.errors,
            "batches": {batch: asdict(cell) for batch, cell in sorted(each.cells.items())},
        }
        for name, each in measured.items()
    }
    return summary_of(measured, OURS, floor, peers) | {"systems": systems}


def summary_of(
    measured: dict[str, Measured], name: str, floor: dict[int, float], peers: Sequence[Peer]
) -> dict[str, Any]:
    """The figures that sum up one system of ours."""
    batches = sorted(floor)
    first, ours = batches[0], measured[name]
    cell = ours.cells[first]
    search = sum(cell.stages.get(stage, 0.0) for stage in _SEARCH)
    return {
        "p50_ms": cell.p50_ms,
        "p95_ms": cell.p95_ms,
        "p99_ms": cell.p99_ms,
        "utterances_per_s": max(each.utterances_per_s for each in ours.cells.values()),
        "search_share": search / cell.p50_ms,
        "outside_forward_share": 1 - cell.stages.get("forward", 0.0) / cell.p50_ms,
        "floor_ms": floor,
        "over_floor": {batch: ours.cells[batch].p50_ms / floor[batch] for batch in batches},
        **speedups(measured, cell.p50_ms, peers, first),
    }


def speedups(measured: dict[str, Measured], mine: float, peers: Sequence[Peer], batch: int) -> dict[str, float | None]:
    """How many times faster ours is at that batch size: than the peers as people run them, and than our fastest."""
    found: dict[str, float | None] = {}
    for name, decoder in (("greedy", "ar-greedy"), ("beam", "ar-beam"), ("constrained_beam", "ar-constrained-beam")):
        for prefix, way in (("", "transformers"), ("fast_", "fast"), ("ctranslate2_", "ctranslate2")):
            peer = next((each for each in peers if each.decoder == decoder and each.way == way), None)
            found[f"speedup_vs_{prefix}{name}"] = (
                None if peer is None else measured[peer.name].cells[batch].p50_ms / mine
            )
    return found
