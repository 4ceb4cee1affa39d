"""A system run over a data file: texts, what failed, and how long each took."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from controldag.data.records import Example
from controldag.errors import ControlDagError, InvalidInput
from controldag.evaluation.system_outputs import Output, Outputs
from controldag.generation.request import Request
from controldag.generation.result import Result


class Generator(Protocol):
    """Anything that says requests: `ControlDag`, an autoregressive twin, templates."""

    def generate_batch(self, requests: Sequence[Request]) -> list[Result | ControlDagError]: ...


def run_system(
    system: Generator,
    examples: Sequence[Example],
    decoder: str,
    *,
    batch: int = 64,
    progress: Callable[[int], None] = lambda done: None,
) -> Outputs:
    """The outputs for all examples, `batch` requests at a time; `progress` is told how many are done.

    At batch 1 a time is the wall clock from request to string. In larger batches it is the sum of what the stages
    took for this request, with an equal share of each forward pass: not what a user would wait.
    """
    if batch < 1:
        raise InvalidInput.of("batch", "be at least 1", batch)
    requests = [Request(example, decoder=decoder) for example in examples]
    system.generate_batch(requests[:1])  # the first run loads and compiles: it is not timed
    items: list[Output] = []
    for start in range(0, len(requests), batch):
        part = requests[start : start + batch]
        begin = time.perf_counter()
        results = system.generate_batch(part)
        wall = 1000 * (time.perf_counter() - begin)
        items += [output_of(result, wall if batch == 1 else None) for result in results]
        progress(len(items))
    how = "batch:1|wall clock of one request at a time" if batch == 1 else batch_timing(batch)
    return Outputs(tuple(items), f"{how}|first request run once before")


def batch_timing(batch: int) -> str:
    """How times of batches are to be understood."""
    return f"batch:{batch}|share of a request, {batch} at a time: not a latency"


def output_of(result: Result | ControlDagError, wall: float | None = None) -> Output:
    """A result as an output; `wall`: the milliseconds it took, where they were measured from outside."""
    if isinstance(result, ControlDagError):
        return Output("", type(result).__name__, wall)
    ms = wall if wall is not None else sum(result.ms.values())
    return Output(result.text, "", ms, dict(result.ms), result.origin)
