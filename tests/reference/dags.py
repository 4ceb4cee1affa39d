"""Small proper Dags: normalised random rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from controldag.dag import Dag
from controldag.surfaces import Surfaces

PIECES: tuple[bytes | None, ...] = (None, b" ", b"a", b"b", b" a", b"ab", b" ab", b"c")


def proper_dag(vertices: int = 5, seed: int = 0, pieces: Sequence[bytes | None] = PIECES) -> Dag:
    """Normalised random rows."""
    rng = np.random.default_rng(seed)
    emissions = rng.dirichlet(np.ones(len(pieces)), vertices)
    transitions = np.triu(rng.uniform(0.1, 1.0, (vertices, vertices)), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        transitions = np.log(transitions / transitions.sum(1, keepdims=True))
    transitions[-1] = -np.inf
    return Dag(np.log(emissions).astype(np.float32), transitions.astype(np.float32), Surfaces(pieces))
