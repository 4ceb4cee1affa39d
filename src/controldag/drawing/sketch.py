"""From arrays of log-probabilities, as models predict them, to a Sketch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from controldag.drawing.graph import Sketch

_FEW = 3


def shown(piece: bytes | None) -> str:
    """A token as people read it: a word as it is, what goes on with a word behind a dot, control tokens as ∅."""
    if piece is None:
        return "∅"
    text = piece.decode(errors="replace")
    if text[:1] == " ":
        return text[1:] or "␣"
    return f"·{text}" if text[:1].isalnum() else text


def sketch_of_arrays(
    emissions: NDArray[np.float32],
    token_ids: NDArray[np.int64] | None,
    transitions: NDArray[np.float32],
    pieces: Sequence[bytes | None],
    few: int = _FEW,
) -> Sketch:
    """The `few` likeliest tokens and successors of every vertex. Arrays are those of a Dag."""
    size = emissions.shape[0]
    tokens: list[list[tuple[str, float]]] = []
    successors: list[list[tuple[int, float]]] = []
    for vertex in range(size):
        ids = token_ids[vertex] if token_ids is not None else np.arange(emissions.shape[1])
        best = _likeliest(emissions[vertex], few)
        tokens.append([(shown(pieces[int(ids[i])]), math.exp(emissions[vertex, i])) for i in best])
        onward = _likeliest(transitions[vertex], few)
        successors.append([(int(to), math.exp(transitions[vertex, to])) for to in onward])
    return Sketch(tokens, successors)


def _likeliest(row: NDArray[np.float32], few: int) -> list[int]:
    """The indices of the highest finite entries, best first; ties go to the lower index."""
    order = np.argsort(-row, kind="stable")[:few]
    return [int(i) for i in order if np.isfinite(row[i])]
