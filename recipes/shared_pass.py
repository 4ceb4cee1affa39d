"""Several ways to decode one model, run over a data file with one forward pass for all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from controldag.dag import Dag
from controldag.data.records import Example
from controldag.errors import ControlDagError
from controldag.evaluation.decode_run import batch_timing, output_of, run_system
from controldag.evaluation.system_outputs import Output, Outputs
from controldag.generation.backend import caught
from controldag.generation.reading import Prepared
from controldag.generation.request import Request
from controldag.generation.result import Result, Stopwatch
from controldag.pipeline import ControlDag


@dataclass(frozen=True, slots=True)
class Way:
    """A model with its settings, and the decoder to call."""

    model: ControlDag
    decoder: str


def run_ways(
    ways: Sequence[Way],
    examples: Sequence[Example],
    *,
    batch: int = 64,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Outputs]:
    """By way, the outputs for all examples: those of `run_system`. All ways are of one model.

    Graphs are predicted once and decoded by every way, on all cores; a twin, which has none, is run way by way.
    """
    if ways[0].model.predictor.autoregressive:
        return [run_system(way.model, examples, way.decoder, batch=batch, progress=progress) for way in ways]
    said: list[list[Output]] = [[] for _ in ways]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for start in range(0, len(examples), batch):
            for items, found in zip(said, _said(ways, examples[start : start + batch], pool), strict=True):
                items += (output_of(result) for result in found)
            progress(min(start + batch, len(examples)))
    timing = f"{batch_timing(batch)}|forward pass shared by {len(ways)}"
    return [Outputs(tuple(items), timing) for items in said]


Outcome = Result | ControlDagError
_Ready = Sequence[Prepared | ControlDagError]


def _said(ways: Sequence[Way], examples: Sequence[Example], pool: ThreadPoolExecutor) -> Iterator[list[Outcome]]:
    """By way, the outcomes of these examples."""
    ready: list[_Ready] = []
    for number, way in enumerate(ways):
        same = next((i for i in range(number) if _same_demands(ways[i].model, way.model)), None)
        ready.append(_prepared(way, examples) if same is None else ready[same])
    graphs: list[dict[int, Dag]] = []
    for number, items in enumerate(ready):
        same = next((i for i in range(number) if _same_sources(ready[i], items)), None)
        if same is None:
            alike = [way for way, each in zip(ways, ready, strict=True) if _same_sources(each, items)]
            graphs.append(_graphs(max(alike, key=lambda way: way.model.settings.emissions).model, items))
        else:
            graphs.append(graphs[same])

    # All are handed in before the first is waited for: no core waits for the slowest of one way.
    waiting = [
        [pool.submit(_decoded, way, item, dags.get(index)) for index, item in enumerate(items)]
        for way, items, dags in zip(ways, ready, graphs, strict=True)
    ]
    return ([each.result() for each in row] for row in waiting)


def _decoded(way: Way, item: Prepared | ControlDagError, dag: Dag | None) -> Outcome:
    if isinstance(item, ControlDagError):
        return item
    assert dag is not None  # of whatever passed its checks there is a graph
    own = replace(item, request=replace(item.request, decoder=way.decoder), watch=Stopwatch())
    own.watch.ms.update(item.watch.ms)  # so far the ways share their time
    return caught(partial(way.model.decode, own, dag))


def _prepared(way: Way, examples: Sequence[Example]) -> _Ready:
    # By a decoder that promises nothing: what a promise needs beyond that is checked when its way decodes.
    return [caught(partial(way.model.prepare, Request(example, decoder="greedy"))) for example in examples]


def _graphs(model: ControlDag, items: _Ready) -> dict[int, Dag]:
    """By index of those that passed their checks, the graph; batches are those of `ControlDag.generate_batch`."""
    good = [(index, item) for index, item in enumerate(items) if isinstance(item, Prepared)]
    found: dict[int, Dag] = {}
    for members in model.predictor.batches([item.source for _, item in good]):
        dags = model.predict([good[i][1] for i in members])
        found |= {good[i][0]: dag for i, dag in zip(members, dags, strict=True)}
    return found


def _same_demands(first: ControlDag, other: ControlDag) -> bool:
    """Whether both demand the same of a text: what decoders share."""
    return first.settings == other.settings and first.knowledge is other.knowledge


def _same_sources(first: _Ready, other: _Ready) -> bool:
    """Whether the model is asked the same for both."""
    return first is other or [_asked(item) for item in first] == [_asked(item) for item in other]


def _asked(item: Prepared | ControlDagError) -> object:
    if isinstance(item, ControlDagError):
        return None
    return (list(item.source.ids), item.source.vertices, list(item.source.asked))
