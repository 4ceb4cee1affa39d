"""Forward and backward passes of training as CUDA graphs, one for each shape of a batch.

Launched one by one, the two thousand kernels of a step keep the host busier than the device: at full size with batches
of 32,000 vertices the device waited for more than half of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from controldag.model.inference.cuda_graph import captured
from controldag.training.batching import Shape

# What a pass does: adds to the gradients and gives the statistics, for a shape, rows of the data and a glancing rate.
Pass = Callable[[Shape, Tensor, Tensor], Tensor]


class GraphedPasses:
    """Passes whose inputs and gradients lie in the same tensors every time."""

    def __init__(self, run: Pass, parameters: Iterable[nn.Parameter], device: torch.device) -> None:
        self._run = run
        self._gradients: list[Tensor] = []
        for parameter in parameters:
            parameter.grad = torch.zeros_like(parameter)
            self._gradients.append(parameter.grad)
        self._rate = torch.zeros((), device=device)
        self._known: dict[Shape, tuple[Tensor, Callable[[], Tensor]]] = {}
        # One memory for all: no pass needs what another one has left. A CPU, where tests run it, has no graphs.
        self._pool: Any = torch.cuda.graph_pool_handle() if device.type == "cuda" else None

    def add(self, shape: Shape, rows: Tensor) -> None:
        """Makes the graph of one shape, with `rows` [batch] as an example; what compiles does so now."""
        rows = rows.clone()

        def run() -> Tensor:
            torch._foreach_zero_(self._gradients)
            return self._run(shape, rows, self._rate)

        self._known[shape] = rows, captured(run, self._pool) if self._pool is not None else run

    def __call__(self, shape: Shape, rows: Tensor, rate: float) -> Tensor:
        """Statistics of one pass, whose gradients are the only ones afterwards. Valid until the next call."""
        own, run = self._known[shape]
        own.copy_(rows)
        self._rate.fill_(rate)
        return run()
