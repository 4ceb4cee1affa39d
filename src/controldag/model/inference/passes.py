"""Forward passes over inputs of any size: what goes in, what comes out, and the plain way, for a CPU.

Shapes: L vertices, K tokens a vertex, W tokens asked for, C = d_model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from controldag.model.inference.forward import FastForward, Inputs, Outputs


@dataclass(frozen=True, slots=True)
class InputRow:
    """One input: what `Inputs` holds, without padding."""

    ids: Sequence[int]
    size: int
    spoken: Sequence[int] = ()
    asked: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Arrays:
    """One graph on the host, and what can score more tokens on the device."""

    links: NDArray[np.float32]  # [L, L]
    scores: NDArray[np.float32]  # [L, K]
    tokens: NDArray[np.int64]  # [L, K]
    asked: NDArray[np.float32]  # [L, W]
    totals: Tensor  # [L]
    features: Tensor  # [L, C]


class Pass(Protocol):
    """A pass under way."""

    def arrays(self) -> list[Arrays]:
        """The graph of each row, once the pass is through."""


class Passes(Protocol):
    """What computes batches."""

    def start(self, rows: Sequence[InputRow], best: int) -> Pass:
        """Sets the pass of a batch going."""


class ExactForward:
    """A FastForward for a CPU: every batch in its own shape, computed at once."""

    def __init__(self, forward: FastForward) -> None:
        self.forward = forward

    def start(self, rows: Sequence[InputRow], best: int) -> Pass:
        lengths, sizes = [len(row.ids) for row in rows], [row.size for row in rows]
        speaking = 0
        if any(row.spoken for row in rows):
            speaking = int((self.forward.silent == 0).nonzero()[0, 0])
        with torch.inference_mode():
            inputs = Inputs(
                _padded([row.ids for row in rows], self.forward.config.pad_token_id),
                torch.tensor(lengths),
                torch.tensor(sizes),
                max(sizes),
                _padded([row.spoken for row in rows], speaking),
                _padded([row.asked for row in rows], 0),
                min(lengths) == max(lengths) and min(sizes) == max(sizes),
            )
            return _Finished(self.forward(inputs, best), rows)


class _Finished:
    def __init__(self, outputs: Outputs, rows: Sequence[InputRow]) -> None:
        self._outputs, self._rows = outputs, rows

    def arrays(self) -> list[Arrays]:
        out = self._outputs
        links, scores, tokens, asked = (part.numpy() for part in (out.links, out.scores, out.tokens, out.asked))
        return [
            Arrays(
                np.ascontiguousarray(links[index, : row.size, : row.size]),
                np.ascontiguousarray(scores[index, : row.size]),
                np.ascontiguousarray(tokens[index, : row.size]),
                np.ascontiguousarray(asked[index, : row.size, : len(row.asked)]),
                out.totals[index, : row.size],
                out.features[index, : row.size],
            )
            for index, row in enumerate(self._rows)
        ]


def _padded(rows: Sequence[Sequence[int]], padding: int) -> Tensor:
    """[B, longest] int64"""
    array = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    for target, row in zip(array, rows, strict=True):
        target[: len(row)] = row
    return torch.from_numpy(array)
