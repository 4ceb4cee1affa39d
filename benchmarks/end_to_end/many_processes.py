"""Texts a second of several processes on one machine, each with the whole pipeline, sharing the accelerator."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from typing import Any

from controldag.data.records import Example
from controldag.errors import ControlDagError, InvalidInput
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.runtime.session import use_threads

_PATIENCE = 300.0  # seconds that a process may take to load and to see every shape once


@dataclass(frozen=True, slots=True)
class Crew:
    """processes: how many. batch: requests in a call. seconds: how long all of them work at once."""

    model: str
    processes: int
    device: str = "cpu"
    precision: str = ""
    variant: str = ""
    batch: int = 256
    seconds: float = 5.0


def crew_figures(crew: Crew, examples: Sequence[Example]) -> dict[str, Any]:
    """Texts a second of all processes together, over the time in which every one of them worked."""
    if crew.processes < 1:
        raise InvalidInput.of("--processes", "be at least 1", crew.processes)
    context = multiprocessing.get_context("spawn")  # a forked process cannot use CUDA
    barrier, results = context.Barrier(crew.processes), context.Queue()
    members = [
        context.Process(target=_work, args=(crew, list(examples), barrier, results), daemon=True)
        for _ in range(crew.processes)
    ]
    for member in members:
        member.start()
    found = [results.get(timeout=_PATIENCE + 10 * crew.seconds) for _ in members]
    for member in members:
        member.join()
    broken = [each for each in found if isinstance(each, str)]
    if broken:
        raise ControlDagError(f"a process of the benchmark failed: {broken[0]}")
    return {
        "processes": crew.processes,
        "batch": crew.batch,
        "utterances_per_s": sum(count / seconds for count, seconds, _ in found),
        "texts": sum(count for count, _, _ in found),
        "errors": sum(errors for _, _, errors in found),
    }


def _work(crew: Crew, examples: list[Example], barrier: Barrier, results: Any) -> None:
    """One process: load, see every shape once, wait for the others, work for the given seconds, tell."""
    try:
        results.put(_count(crew, examples, barrier))
    except Exception as error:  # the others wait at the barrier: they must hear of it
        barrier.abort()
        results.put(f"{type(error).__name__}: {error}")


def _count(crew: Crew, examples: list[Example], barrier: Barrier) -> tuple[int, float, int]:
    use_threads(1)
    model = ControlDag.from_pretrained(crew.model, device=crew.device, precision=crew.precision, variant=crew.variant)
    model.threads = 1
    requests = [Request(example) for example in examples]
    calls = [requests[first : first + crew.batch] for first in range(0, len(requests), crew.batch)]
    for call in calls:
        model.generate_batch(call)
    barrier.wait(_PATIENCE)
    began, count, errors = time.perf_counter(), 0, 0
    while time.perf_counter() - began < crew.seconds:
        for call in calls:
            outcomes = model.generate_batch(call)
            count += len(outcomes)
            errors += sum(not isinstance(each, Result) for each in outcomes)
    return count, time.perf_counter() - began, errors
