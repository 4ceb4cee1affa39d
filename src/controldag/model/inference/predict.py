"""From source tokens to Dags with torch: one forward pass, the best tokens of each vertex taken where it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from controldag.dag import Dag, Floats, Ids
from controldag.errors import InvalidInput
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.saving import load_model
from controldag.model.inference.buckets import BucketedForward
from controldag.model.inference.devices import device_of
from controldag.model.inference.forward import FastForward
from controldag.model.inference.passes import Arrays, ExactForward, InputRow, Passes
from controldag.runtime.predict import GraphPredictor, Source
from controldag.surfaces import Surfaces

_VERTICES = 12_000  # a batch on a CPU holds at most, padding counted
_ALIKE = 1.15  # the largest graph of such a batch is at most so many times its smallest: padding costs time there
_ROWS = 64  # a batch on a GPU


@dataclass(frozen=True, slots=True)
class _Head:
    """What gives token probabilities at any vertex of one graph."""

    arrays: Arrays
    weight: Tensor  # [V, C]
    silent: Tensor  # [V] −inf for tokens without a surface, else 0
    surfaces: Surfaces
    asked: Sequence[int]  # the columns of arrays.asked
    coarse: bool  # the pass multiplied the head in less than float32

    def score(self, ids: Sequence[int]) -> Floats:
        """Log-probabilities [L, len(ids)]: known from the pass, or the asked-for rows of the head are multiplied."""
        if list(ids) == list(self.asked):
            return self.arrays.asked
        with torch.inference_mode():
            rows = self.weight[torch.tensor(list(ids), device=self.weight.device)]
            return _numpy(self.arrays.features @ rows.T - self._totals())

    def best(self, count: int) -> tuple[Floats, Ids]:
        """The `count` likeliest speaking tokens: log-probabilities and ids, both [L, count]."""
        with torch.inference_mode():
            logits = self._logits()
            speaking = logits + self.silent
            if self.surfaces.changes:
                spoken = list(self.surfaces.changes)
                speaking[:, spoken] = logits[:, spoken]
            values, ids = speaking.topk(min(count, logits.shape[1]), -1)
            return _numpy(values - self._totals(logits)), ids.cpu().numpy()

    def _logits(self) -> Tensor:
        return functional.linear(self.arrays.features, self.weight)

    def _totals(self, logits: Tensor | None = None) -> Tensor:
        """Log-sum-exp [L, 1]; a coarse pass's would give tokens that are scored here a probability above one."""
        if not self.coarse:
            return self.arrays.totals[:, None]
        return torch.logsumexp(self._logits() if logits is None else logits, -1, keepdim=True)


class TorchPredictor(GraphPredictor):
    """With torch, on any device.

    `precision`: float32 (default on a CPU), bfloat16 (default on a GPU), or int8 (CPU only).
    """

    def __init__(self, model: DAT5ForGeneration, surfaces: Surfaces, *, precision: str = "") -> None:
        super().__init__(model.config, surfaces)
        self.model = model.eval()
        silent = torch.full((model.config.vocab_size,), -torch.inf)
        silent[: len(surfaces)].masked_fill_(torch.from_numpy(surfaces.speaking)[: len(silent)], 0.0)
        on_cpu = model.device.type == "cpu"
        self.forward = FastForward(model, silent, precision or ("float32" if on_cpu else "bfloat16"))
        self._coarse = self.forward.precision != "float32"
        self.passes: Passes = ExactForward(self.forward) if on_cpu else BucketedForward(self.forward)

    @classmethod
    def load(
        cls, folder: str | Path, surfaces: Surfaces, *, tokenizer: bytes, device: str = "cpu", precision: str = ""
    ) -> TorchPredictor:
        """The model in `folder`, on `device`."""
        model = load_model(folder, tokenizer=tokenizer)
        if not isinstance(model, DAT5ForGeneration):
            raise InvalidInput.of(
                "model", "be a directed acyclic one (da_t5)", model.config.model_type, remedy="Name a DA-T5 folder."
            )
        model.to(device_of(device))  # type: ignore[arg-type]
        return cls(model, surfaces, precision=precision)

    def start(self, sources: Sequence[Source], best: int) -> Callable[[], list[Dag]]:
        rows = [
            InputRow(source.ids, self.vertices(source), tuple((source.surfaces or self.surfaces).changes), source.asked)
            for source in sources
        ]
        running = self.passes.start(rows, best)
        return lambda: [self._dag_of(*each) for each in zip(sources, running.arrays(), strict=True)]

    def batches(self, sources: Sequence[Source]) -> list[list[int]]:
        """Which sources to predict together: by size, so that little is padding.

        On a CPU within a cap on vertices, and no graph much larger than another; on a GPU in equal numbers, which have
        a graph.
        """
        sizes = [self.vertices(source) for source in sources]
        order = sorted(range(len(sources)), key=lambda i: (sizes[i], len(sources[i].ids)))
        if self.model.device.type != "cpu":
            return [order[first : first + _ROWS] for first in range(0, len(order), _ROWS)]
        batches: list[list[int]] = []
        for i in order:
            full = batches and (len(batches[-1]) + 1) * sizes[i] > _VERTICES
            if not batches or full or sizes[i] > _ALIKE * sizes[batches[-1][0]]:
                batches.append([])
            batches[-1].append(i)
        return batches

    def _dag_of(self, source: Source, arrays: Arrays) -> Dag:
        surfaces = source.surfaces or self.surfaces
        head = _Head(arrays, self.forward.head_weight, self.forward.silent, surfaces, source.asked, self._coarse)
        return self._dag(head, arrays.scores, arrays.tokens)

    def _dag(self, head: _Head, scores: Floats, tokens: Ids) -> Dag:
        return Dag(
            scores, head.arrays.links, head.surfaces, token_ids=tokens, score=head.score, widen=self._widener(head)
        )

    def _widener(self, head: _Head) -> Callable[[int], Dag]:
        # A wider graph is scored by one head throughout: what a coarse pass has scored is scored again.
        wide = replace(head, asked=()) if head.coarse else head
        return lambda count: self._dag(wide, *wide.best(count))


def _numpy(values: Tensor) -> Floats:
    return np.asarray(values.float().cpu().numpy(), np.float32)
