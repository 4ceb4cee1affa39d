"""The border between model and search: plain arrays, no torch needed to read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag import _core
from controldag.drawing.graph import Sketch
from controldag.drawing.sketch import sketch_of_arrays
from controldag.drawing.small import small_drawing
from controldag.errors import InvalidInput
from controldag.surfaces import Surfaces

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Dag:
    """A directed acyclic model's prediction for one input, as log-probabilities.

    Vertex 0 stands for `<s>` and the last one for `</s>`; what they emit does not matter.
    `emissions` is [vertices, vocabulary], or, with `token_ids` of the same shape, the best few tokens per vertex.
    `transitions` is [vertices, vertices], -inf on and below the diagonal.
    `score(ids)` gives the log-probabilities of any tokens at every vertex, [vertices, len(ids)] (needed only with
    `token_ids`); `widen(k)` asks the model for the same Dag with at least k tokens per vertex.
    """

    emissions: Floats
    transitions: Floats
    surfaces: Surfaces
    token_ids: Ids | None = None
    score: Callable[[Sequence[int]], Floats] | None = None
    widen: Callable[[int], Dag] | None = None

    @property
    def vertices(self) -> int:
        return int(self.emissions.shape[0])

    def log_probabilities(self, ids: Sequence[int]) -> Floats:
        """The true log-probabilities of the tokens at every vertex: [vertices, len(ids)]."""
        if self.token_ids is None:
            return np.ascontiguousarray(self.emissions[:, list(ids)], dtype=np.float32)
        if self.score is None:
            raise InvalidInput(
                "This Dag holds only the best tokens of each vertex, and required phrases need others.",
                remedy="Give it `score`, which looks tokens up in the model's output.",
            )
        found = np.asarray(self.score(ids), dtype=np.float32)
        if found.shape != (self.vertices, len(ids)):
            raise InvalidInput.of("score(ids)", f"have the shape {(self.vertices, len(ids))}", found.shape)
        return found

    def check(self) -> None:
        """Raises InvalidInput naming argument, rule and value unless this is a proper Dag."""
        if self.emissions.ndim != 2 or self.vertices < 2:
            raise InvalidInput.of("emissions", "be [vertices >= 2, tokens]", self.emissions.shape)
        if self.transitions.shape != (self.vertices, self.vertices):
            raise InvalidInput.of("transitions", f"be {(self.vertices, self.vertices)}", self.transitions.shape)
        if self.token_ids is None:
            if self.emissions.shape[1] != len(self.surfaces):
                raise InvalidInput.of(
                    "emissions", f"have one column per token ({len(self.surfaces)})", self.emissions.shape
                )
        else:
            self._check_token_ids(self.token_ids)
        last = self.vertices - 1
        onward = np.ascontiguousarray(self.transitions, np.float32)
        emitted = np.ascontiguousarray(self.emissions, np.float32)
        _core.check_rows("emissions", emitted, 1, last, self.token_ids is None, False)
        _core.check_rows("transitions", onward, 0, last, True, True)
        if bool(np.isfinite(onward[last]).any()):
            raise InvalidInput.of("transitions", "not leave the last vertex", f"{last} -> {np.argmax(onward[last])}")

    def _check_token_ids(self, token_ids: Ids) -> None:
        if token_ids.shape != self.emissions.shape:
            raise InvalidInput.of("token_ids", f"have the shape of emissions {self.emissions.shape}", token_ids.shape)
        if token_ids.size and (token_ids.min() < 0 or token_ids.max() >= len(self.surfaces)):
            worst = int(token_ids.min()) if token_ids.min() < 0 else int(token_ids.max())
            raise InvalidInput.of("token_ids", f"be between 0 and {len(self.surfaces) - 1}", worst)

    def sketch(self) -> Sketch:
        """The likeliest tokens and successors of every vertex as plain lists, to draw."""
        return sketch_of_arrays(self.emissions, self.token_ids, self.transitions, self.surfaces.pieces)

    def _repr_html_(self) -> str:
        """A small drawing, for notebooks."""
        return small_drawing(self.sketch(), "Dag")
