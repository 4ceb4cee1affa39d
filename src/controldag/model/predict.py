"""From source tokens to Dags: one forward pass, the best tokens of each vertex taken where the model runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from controldag.dag import Dag, Floats, Ids, Surfaces
from controldag.errors import InvalidInput
from controldag.model.buckets import BucketedForward
from controldag.model.da_t5 import DAT5ForGeneration
from controldag.model.devices import device_of
from controldag.model.inference import FastForward
from controldag.model.passes import Arrays, ExactForward, Passes, Row
from controldag.model.saving import load_model
from controldag.text.expected_length import ExpectedLength

_VERTICES = 12_000  # a batch on a CPU holds at most, padding counted
_ALIKE = 1.15  # the largest graph of such a batch is at most so many times its smallest: padding costs time there
_ROWS = 64  # a batch on a GPU


@dataclass(frozen=True, slots=True)
class Source:
    """One input: its token ids (`</s>` included) and the number of vertices its graph must have at least.

    surfaces: what the tokens spell for this input; None where that is the same for every input.
    asked: tokens whose probabilities will be asked for; those of others cost a way to the device.
    expected: tokens that the text is expected to have, which then size the graph; None: the input's length does.
    """

    ids: Sequence[int]
    vertices: int = 2
    surfaces: Surfaces | None = None
    asked: Sequence[int] = ()
    expected: float | None = None


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


class DagPredictor:
    """A loaded DA-T5 that turns sources into Dags.

    `precision`: float32 (default on a CPU), bfloat16 (default on a GPU), or int8 (CPU only).
    """

    autoregressive = False

    def __init__(self, model: DAT5ForGeneration, surfaces: Surfaces, *, precision: str = "") -> None:
        self.model = model.eval()
        self.surfaces = surfaces
        silent = torch.full((model.config.vocab_size,), -torch.inf)
        silent[: len(surfaces)].masked_fill_(torch.from_numpy(surfaces.speaking)[: len(silent)], 0.0)
        on_cpu = model.device.type == "cpu"
        self.forward = FastForward(model, silent, precision or ("float32" if on_cpu else "bfloat16"))
        self._coarse = self.forward.precision != "float32"
        self.passes: Passes = ExactForward(self.forward) if on_cpu else BucketedForward(self.forward)
        # What every request asks: a look into a configuration of transformers takes microseconds.
        self.most_vertices = int(model.config.max_positions)
        """The largest graph the model has positions for."""
        self.eos = int(model.config.eos_token_id)
        self.marked = str(model.config.marked)
        """What had value marks in training."""
        self.word_marks = int(model.config.word_marks)
        """How many of the marks, the last ones, are for words of the schema."""
        weights = model.config.length_weights if model.config.vertices_per_length else None
        self.expected_length = None if weights is None else ExpectedLength(weights)
        """How long texts will be, where graphs are sized by that; else None."""

    @classmethod
    def load(
        cls, folder: str | Path, surfaces: Surfaces, *, tokenizer: bytes, device: str = "cpu", precision: str = ""
    ) -> DagPredictor:
        """The model in `folder`, on `device`."""
        model = load_model(folder, tokenizer=tokenizer)
        if not isinstance(model, DAT5ForGeneration):
            raise InvalidInput.of(
                "model", "be a directed acyclic one (da_t5)", model.config.model_type, remedy="Name a DA-T5 folder."
            )
        model.to(device_of(device))  # type: ignore[arg-type]
        return cls(model, surfaces, precision=precision)

    @property
    def lineariser(self) -> tuple[str, str]:
        """The linearisation the model was trained on, and what stood between values."""
        return str(self.model.config.lineariser), str(self.model.config.value_separator)

    def predict(self, sources: Sequence[Source], best: int) -> list[Dag]:
        """The Dags of all sources, in order, with the `best` likeliest tokens of every vertex; one forward pass.

        Every source has passed `check`.
        """
        return self.start(sources, best)()

    def start(self, sources: Sequence[Source], best: int) -> Callable[[], list[Dag]]:
        """As `predict`, but the Dags come when the result is called: a GPU computes meanwhile.

        No more than two passes may be under way.
        """
        rows = [
            Row(source.ids, self._vertices(source), tuple((source.surfaces or self.surfaces).changes), source.asked)
            for source in sources
        ]
        running = self.passes.start(rows, best)
        return lambda: [self._dag_of(*each) for each in zip(sources, running.arrays(), strict=True)]

    def _vertices(self, source: Source) -> int:
        config = self.model.config
        by_input = config.graph_size(len(source.ids)) if source.expected is None else config.sized_for(source.expected)
        return max(by_input, source.vertices)

    def batches(self, sources: Sequence[Source]) -> list[list[int]]:
        """Which sources to predict together: by size, so that little is padding.

        On a CPU within a cap on vertices, and no graph much larger than another; on a GPU in equal numbers, which have
        a graph.
        """
        sizes = [self._vertices(source) for source in sources]
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

    def check(self, source: Source) -> None:
        """Raises InvalidInput where the source or its graph has more positions than the model."""
        for name, value in (("input needs", len(source.ids)), ("required phrases need", source.vertices)):
            if value > self.most_vertices:
                raise InvalidInput(
                    f"The {name} {value:,} positions; the model has {self.most_vertices:,}.",
                    remedy="Say less at once, or use a model with more positions.",
                )

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
