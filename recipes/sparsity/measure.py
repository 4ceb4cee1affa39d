"""How sparse a model's graphs are: likely transitions and emissions (appendix C), and what pruning keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from controldag.dag import Dag
from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.generation.request import Request
from controldag.pipeline import ControlDag

KEPT = (1, 2, 3, 5, 8)
"""How many of a vertex's likeliest tokens or successors; what mass they hold is told."""
DEFAULT_THRESHOLD = 0.2
"""The paper's."""


def sparsity(
    model: ControlDag,
    examples: Sequence[Example],
    *,
    threshold: float = DEFAULT_THRESHOLD,
    batch: int = 64,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Means over all vertices of all graphs.

    Transitions are those of every vertex but the last, emissions those of every vertex between the first and the last.
    An emission counts if its token has a surface.
    """
    if not 1 / (max(KEPT) + 1) <= threshold < 1:
        raise InvalidInput.of("threshold", f"be at least {1 / (max(KEPT) + 1):.3f} and below 1", threshold)
    wide = model.with_settings(model.settings.changed({"emissions": max(KEPT)}))
    sums = np.zeros((2, 1 + len(KEPT)))
    counts = np.zeros(2)
    vertices = 0
    for start in range(0, len(examples), batch):
        items = [wide.prepare(Request(example)) for example in examples[start : start + batch]]
        for members in wide.predictor.batches([item.source for item in items]):
            for dag in wide.predict([items[i] for i in members]):
                found = _of(dag, threshold)
                sums += [each.sum(0) for each in found]
                counts += [len(each) for each in found]
                vertices += dag.vertices
        progress(min(start + batch, len(examples)))
    means = sums / counts[:, None]
    return {
        "graphs": len(examples),
        "vertices_a_graph": round(vertices / len(examples), 2),
        "threshold": threshold,
        **{
            name: {"above": round(float(row[0]), 4), "mass_of_best": _by_count(row[1:])}
            for name, row in zip(("transitions", "emissions"), means, strict=True)
        },
    }


def _of(dag: Dag, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """For transitions and emissions, [vertices, 1 + len(KEPT)]: how many are above, and the mass of the best."""
    onward, spoken = np.exp(dag.transitions[:-1].astype(np.float64)), np.exp(dag.emissions[1:-1].astype(np.float64))
    return _row(onward, threshold), _row(spoken, threshold)


def _row(probabilities: np.ndarray, threshold: float) -> np.ndarray:
    best = -np.sort(-probabilities, axis=1)
    above = (best > threshold).sum(1, keepdims=True)
    mass = np.cumsum(best, axis=1)
    last = best.shape[1] - 1
    return np.concatenate([above, *(mass[:, [min(count - 1, last)]] for count in KEPT)], axis=1)


def _by_count(masses: np.ndarray) -> dict[str, float]:
    return {str(count): round(float(mass), 4) for count, mass in zip(KEPT, masses, strict=True)}
