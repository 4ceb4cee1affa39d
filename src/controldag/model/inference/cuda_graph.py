"""CUDA graphs: what a function does on the device, replayed without the cost of launching it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import torch

# Set to 0 where a driver cannot capture: the same kernels are launched one by one.
GRAPHS = os.environ.get("CONTROLDAG_CUDA_GRAPHS", "1") != "0"
T = TypeVar("T")
_WARM_RUNS = 3  # before a capture: libraries choose their kernels, tables grow


def captured(run: Callable[[], T], pool: Any = None) -> Callable[[], T]:
    """A call that replays what `run` does on the device; its results lie in the same tensors every time.

    Graphs of one `pool` share memory: what one of them gives has to be copied before another is replayed.
    """
    if not GRAPHS:
        return run
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(_WARM_RUNS):
            run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        results = run()

    def replay() -> T:
        graph.replay()
        return results

    return replay
