"""From source tokens to Dags: what every predictor shares, and the one that needs no torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from controldag.dag import Dag, Floats, Ids
from controldag.errors import InvalidInput
from controldag.runtime.da_t5 import dag_model
from controldag.runtime.folder import load_tensors
from controldag.runtime.graph import PRECISIONS, Precision
from controldag.runtime.session import Session
from controldag.runtime.sizes import DagOptions
from controldag.runtime.tensors import Tensors
from controldag.surfaces import Surfaces
from controldag.text.expected_length import ExpectedLength

# Graphs that are kept at once hold at most so many scores: 64 MB.
_MOST_SCORES = 1 << 24


@dataclass(frozen=True, slots=True)
class Source:
    """One input: its token ids (`</s>` included) and the number of vertices its graph must have at least.

    surfaces: what the tokens spell for this input; None where that is the same for every input.
    asked: tokens whose probabilities will be asked for; on a GPU those of others cost a way to the device.
    expected: tokens that the text is expected to have, which then size the graph; None: the input's length does.
    """

    ids: Sequence[int]
    vertices: int = 2
    surfaces: Surfaces | None = None
    asked: Sequence[int] = ()
    expected: float | None = None


class GraphPredictor(ABC):
    """A loaded DA-T5 that turns sources into Dags."""

    autoregressive = False

    def __init__(self, options: DagOptions, surfaces: Surfaces) -> None:
        self.options, self.surfaces = options, surfaces
        self.most_vertices = options.max_positions
        """The largest graph the model has positions for."""
        self.eos = options.eos_token_id
        self.marked = options.marked
        """What had value marks in training."""
        self.word_marks = options.word_marks
        """How many of the marks, the last ones, are for words of the schema."""
        weights = options.length_weights if options.vertices_per_length else None
        self.expected_length = None if weights is None else ExpectedLength(weights)
        """How long texts will be, where graphs are sized by that; else None."""

    @property
    def lineariser(self) -> tuple[str, str]:
        """The linearisation the model was trained on, and what stood between values."""
        return self.options.lineariser, self.options.value_separator

    def predict(self, sources: Sequence[Source], best: int) -> list[Dag]:
        """The Dags of all sources, in order, with the `best` likeliest tokens of every vertex.

        Every source has passed `check`.
        """
        return self.start(sources, best)()

    @abstractmethod
    def start(self, sources: Sequence[Source], best: int) -> Callable[[], list[Dag]]:
        """As `predict`, but the Dags come when the result is called: a GPU computes meanwhile.

        No more than two passes may be under way.
        """

    @abstractmethod
    def batches(self, sources: Sequence[Source]) -> list[list[int]]:
        """Which sources to predict together."""

    def check(self, source: Source) -> None:
        """Raises InvalidInput where the source or its graph has more positions than the model."""
        for name, value in (("input needs", len(source.ids)), ("required phrases need", source.vertices)):
            if value > self.most_vertices:
                raise InvalidInput(
                    f"The {name} {value:,} positions; the model has {self.most_vertices:,}.",
                    remedy="Say less at once, or use a model with more positions.",
                )

    def vertices(self, source: Source) -> int:
        """How many its graph has."""
        options, expected = self.options, source.expected
        size = options.graph_size(len(source.ids)) if expected is None else options.sized_for(expected)
        return max(size, source.vertices)


class RuntimePredictor(GraphPredictor):
    """On a CPU, by ONNX Runtime, one graph after another: nothing is padded. `precision`: float32 or int8."""

    def __init__(self, options: DagOptions, tensors: Tensors, surfaces: Surfaces, precision: str = "") -> None:
        super().__init__(options, surfaces)
        file, self._tables = dag_model(options, tensors, check_precision(precision or "float32"))
        self._session = Session(file)
        silent = np.full(options.vocab_size, -np.inf, np.float32)
        silent[: len(surfaces)][surfaces.speaking[: len(silent)]] = 0.0
        self._silent = silent
        places = np.arange(options.max_positions)
        self._never = np.where(places[:, None] < places, np.float32(0.0), np.float32(-np.inf))

    @classmethod
    def load(cls, folder: str | Path, surfaces: Surfaces, *, tokenizer: bytes, precision: str = "") -> RuntimePredictor:
        """The model in `folder`."""
        return cls(*load_tensors(folder, tokenizer=tokenizer), surfaces, precision)

    def start(self, sources: Sequence[Source], best: int) -> Callable[[], list[Dag]]:
        dags = [self._dag(source, best) for source in sources]
        return lambda: dags

    def batches(self, sources: Sequence[Source]) -> list[list[int]]:
        """In order, as many together as may be kept at once."""
        batches: list[list[int]] = [[]]
        free = _MOST_SCORES
        for place, source in enumerate(sources):
            size = self.vertices(source) * self.options.vocab_size
            if batches[-1] and size > free:
                batches.append([])
                free = _MOST_SCORES
            batches[-1].append(place)
            free -= size
        return [batch for batch in batches if batch]

    def _dag(self, source: Source, best: int) -> Dag:
        surfaces = source.surfaces or self.surfaces
        silent = self._silent
        if surfaces.changes:
            silent = silent.copy()
            silent[list(surfaces.changes)] = 0.0
        inputs = self._inputs(len(source.ids), self.vertices(source)) | {
            "ids": np.asarray(source.ids, np.int64),
            "silent": silent[None],
            "best": np.array([min(best, len(silent))]),
        }
        links, every, scores, tokens = self._session.run(("links", "scores", "best_scores", "tokens"), inputs)
        return _Scores(every, silent, links, surfaces).dag(scores, tokens)

    def _inputs(self, length: int, size: int) -> dict[str, Floats | Ids]:
        """What depends on the sizes alone."""
        tables = self._tables
        vertices = tables.vertices[:size].copy()
        vertices[-1] += tables.last_vertex
        inputs: dict[str, Floats | Ids] = {
            "source_bias": _square(tables.source_bias, length),
            "vertex_bias": _square(tables.vertex_bias, size),
            "vertices": vertices,
            "offsets": tables.offsets[:size],
            "never": np.ascontiguousarray(self._never[:size, :size]),
        }
        if self.options.copy_source:
            inputs["copied"] = np.arange(size) * length // size
        return inputs


@dataclass(frozen=True, slots=True)
class _Scores:
    """One graph with the scores of all tokens."""

    scores: Floats  # [L, V] log-probabilities
    silent: Floats  # [V] −inf for tokens without a surface, else 0
    links: Floats
    surfaces: Surfaces

    def dag(self, scores: Floats, tokens: Ids) -> Dag:
        """The graph with the best tokens of each vertex; others come from all that were scored."""
        return Dag(scores, self.links, self.surfaces, token_ids=tokens, score=self._score, widen=self._widen)

    def _score(self, ids: Sequence[int]) -> Floats:
        return self.scores[:, list(ids)]

    def _widen(self, count: int) -> Dag:
        speaking = self.scores + self.silent
        count = min(count, len(self.silent))
        tokens = np.argpartition(speaking, -count, axis=1)[:, -count:]
        scores = np.take_along_axis(speaking, tokens, 1)
        order = np.argsort(-scores, axis=1, kind="stable")
        return self.dag(np.take_along_axis(scores, order, 1), np.take_along_axis(tokens, order, 1))


def check_precision(precision: str) -> Precision:
    """The precision, where a CPU computes in it here; InvalidInput elsewhere."""
    for known in PRECISIONS:
        if precision == known:
            return known
    raise InvalidInput.of("precision", f"be one of {', '.join(PRECISIONS)} on a CPU", precision)


def _square(by_offset: Floats, size: int) -> Floats:
    """[1, H, size, size] from a bias by the offset of key and query, [H, 2P − 1]."""
    middle = by_offset.shape[1] // 2
    near = by_offset[:, middle - size + 1 : middle + size]
    return np.ascontiguousarray(sliding_window_view(near, size, axis=1)[:, ::-1])[None]
