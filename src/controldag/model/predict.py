"""From source tokens to Dags: one forward pass, the best tokens of each vertex taken where the model runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from transformers.utils import logging as hf_logging

from controldag.dag import Dag, Floats, Surfaces
from controldag.errors import InvalidInput
from controldag.model.da_t5 import DAT5ForGeneration
from controldag.model.devices import device_of
from controldag.model.inference import FastForward, Inputs, Outputs
from controldag.model.saving import load_model

_VERTICES = 12_000  # a batch holds at most, padding counted


@dataclass(frozen=True, slots=True)
class Source:
    """One input: its token ids (`</s>` included) and the number of vertices its graph must have at least.

    surfaces: what the tokens spell for this input; None where that is the same for every input.
    """

    ids: Sequence[int]
    vertices: int = 2
    surfaces: Surfaces | None = None


@dataclass(frozen=True, slots=True)
class _Head:
    """What gives token probabilities at any vertex of one graph, on the model's device."""

    features: Tensor  # [L, C]
    weight: Tensor  # [V, C]
    totals: Tensor  # [L] log-sum-exp over all tokens
    silent: Tensor  # [V] −inf for tokens without a surface, else 0
    surfaces: Surfaces

    def score(self, ids: Sequence[int]) -> Floats:
        """Log-probabilities [L, len(ids)]: only the asked-for rows of the head are multiplied."""
        with torch.inference_mode():
            rows = self.weight[torch.tensor(list(ids), device=self.weight.device)]
            return _numpy((self.features @ rows.T).float() - self.totals[:, None])

    def best(self, count: int) -> tuple[Tensor, Tensor]:
        """The `count` likeliest speaking tokens: log-probabilities and ids, both [L, count]."""
        with torch.inference_mode():
            logits = functional.linear(self.features, self.weight).float() + self.silent
            values, ids = logits.topk(min(count, logits.shape[1]), -1)
            return values - self.totals[:, None], ids


class DagPredictor:
    """A loaded DA-T5 that turns sources into Dags.

    `precision`: float32 (default on a CPU), bfloat16 (default on a GPU), or int8 (CPU only).
    """

    def __init__(self, model: DAT5ForGeneration, surfaces: Surfaces, *, precision: str = "") -> None:
        self.model = model.eval()
        self.surfaces = surfaces
        self.forward = FastForward(model, precision or ("float32" if model.device.type == "cpu" else "bfloat16"))
        silent = torch.full((model.config.vocab_size,), -torch.inf)
        silent[: len(surfaces)].masked_fill_(torch.from_numpy(surfaces.speaking)[: len(silent)], 0.0)
        self._silent = silent.to(model.device)

    @classmethod
    def load(
        cls, folder: str | Path, surfaces: Surfaces, *, tokenizer: bytes, device: str = "cpu", precision: str = ""
    ) -> DagPredictor:
        """The model in `folder`, on `device`."""
        with quiet_loading():
            model = load_model(folder, tokenizer=tokenizer)
        if not isinstance(model, DAT5ForGeneration):
            raise InvalidInput.of(
                "model", "be a directed acyclic one (da_t5)", model.config.model_type, remedy="Name a DA-T5 folder."
            )
        model.to(device_of(device))  # type: ignore[arg-type]
        return cls(model, surfaces, precision=precision)

    @property
    def most_vertices(self) -> int:
        """The largest graph the model has positions for."""
        return int(self.model.config.max_positions)

    @property
    def eos(self) -> int:
        return int(self.model.config.eos_token_id)

    @property
    def lineariser(self) -> tuple[str, str]:
        """The linearisation the model was trained on, and what stood between values."""
        return str(self.model.config.lineariser), str(self.model.config.value_separator)

    def predict(self, sources: Sequence[Source], best: int) -> list[Dag]:
        """The Dags of all sources, in order, with the `best` likeliest tokens of every vertex; one forward pass.

        Every source has passed `check`.
        """
        counts = [self._vertices(source) for source in sources]
        with torch.inference_mode():
            silent = self._silent_of(sources)
            outputs = self.forward(self._inputs(sources, counts), best, silent[:, None])
            return self._dags(outputs, sources, counts, silent)

    def _vertices(self, source: Source) -> int:
        return max(self.model.config.graph_size(len(source.ids)), source.vertices)

    def batches(self, sources: Sequence[Source]) -> list[list[int]]:
        """Which sources to predict together: by size, so that little is padding, within a cap on vertices."""
        sizes = [self._vertices(source) for source in sources]
        order = sorted(range(len(sources)), key=lambda i: (sizes[i], len(sources[i].ids)))
        batches: list[list[int]] = []
        for i in order:
            if not batches or (len(batches[-1]) + 1) * sizes[i] > _VERTICES:
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

    def _inputs(self, sources: Sequence[Source], counts: Sequence[int]) -> Inputs:
        lengths = [len(source.ids) for source in sources]
        longest, width = max(lengths), max(counts)
        padded = np.full((len(sources), longest), self.model.config.pad_token_id, np.int64)
        for row, source in enumerate(sources):
            padded[row, : lengths[row]] = source.ids
        whole = min(lengths) == longest and min(counts) == width
        device = self.model.device
        return Inputs(
            torch.from_numpy(padded).to(device),
            torch.tensor(lengths, device=device),
            torch.tensor(counts, device=device),
            width,
            whole,
        )

    def _dags(self, outputs: Outputs, sources: Sequence[Source], counts: Sequence[int], silent: Tensor) -> list[Dag]:
        links, scores, tokens = _numpy(outputs.links), _numpy(outputs.scores), outputs.tokens.cpu().numpy()
        dags = []
        for row, (source, size) in enumerate(zip(sources, counts, strict=True)):
            features, totals = outputs.features[row, :size], outputs.totals[row, :size]
            surfaces = source.surfaces or self.surfaces
            head = _Head(features, self.forward.head_weight, totals, silent[row], surfaces)
            transitions = np.ascontiguousarray(links[row, :size, :size])
            dags.append(self._dag(head, scores[row, :size], tokens[row, :size], transitions))
        return dags

    def _silent_of(self, sources: Sequence[Source]) -> Tensor:
        """[B, V] −inf for tokens that have no surface in this input."""
        marked = [(row, token) for row, each in enumerate(sources) if each.surfaces for token in each.surfaces.changes]
        if not marked:
            return self._silent.expand(len(sources), -1)
        silent = self._silent.repeat(len(sources), 1)
        rows, tokens = torch.tensor(marked, device=silent.device).T
        silent[rows, tokens] = 0.0
        return silent

    def _dag(self, head: _Head, scores: Floats, tokens: np.ndarray, transitions: Floats) -> Dag:
        return Dag(
            np.ascontiguousarray(scores),
            transitions,
            head.surfaces,
            token_ids=np.ascontiguousarray(tokens),
            score=head.score,
            widen=self._widener(head, transitions),
        )

    def _widener(self, head: _Head, transitions: Floats) -> Callable[[int], Dag]:
        def widen(count: int) -> Dag:
            values, ids = head.best(count)
            return self._dag(head, _numpy(values), ids.cpu().numpy(), transitions)

        return widen


@contextmanager
def quiet_loading() -> Iterator[None]:
    """transformers draws a bar for every load, even of a model that takes a blink."""
    was_on = hf_logging.is_progress_bar_enabled()
    hf_logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_on:
            hf_logging.enable_progress_bar()


def _numpy(values: Tensor) -> Floats:
    return np.asarray(values.float().cpu().numpy(), np.float32)
