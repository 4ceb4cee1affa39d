"""How far a verifier's probabilities can be taken at their word: what share of texts is right, by what it says."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

BINS = 10
# How sure it is, and whether a reader found the meaning right.
Judged = tuple[float, bool]


class Bin(NamedTuple):
    """Texts of like probability: their number, its mean, and the share that is right."""

    texts: int
    said: float
    right: float


def bins_of(judged: Sequence[Judged], bins: int = BINS) -> list[Bin]:
    """Texts in order of probability, cut into parts of like size."""
    ordered = np.asarray(sorted(judged), dtype=np.float64)
    parts = [part for part in np.array_split(ordered, bins) if len(part)]
    return [Bin(len(part), round(part[:, 0].mean(), 3), round(part[:, 1].mean(), 3)) for part in parts]


def expected_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: the mean distance between what is said and what is so."""
    return sum(each.texts * abs(each.said - each.right) for each in bins) / sum(each.texts for each in bins)


def precision_and_recall(refused: Sequence[bool], wrong: Sequence[bool]) -> dict[str, float]:
    """Of texts that are refused, what share is wrong; of wrong texts, what share is refused."""
    hits = sum(a and b for a, b in zip(refused, wrong, strict=True))
    return {
        "precision": round(hits / max(1, sum(refused)), 3),
        "recall": round(hits / max(1, sum(wrong)), 3),
        "refused": sum(refused),
        "wrong": sum(wrong),
        "texts": len(wrong),
    }


def calibration_png(curves: Mapping[str, Sequence[Bin]]) -> bytes:
    """A picture: the closer to the dashed line, the better."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.plot((0, 1), (0, 1), linestyle="--", color="#777777")
    for name, bins in curves.items():
        axes.plot([each.said for each in bins], [each.right for each in bins], marker="o", label=name)
    axes.set_xlabel("probability that the weakest act is said")
    axes.set_ylabel("share of texts whose meaning readers found right")
    axes.legend(frameon=False)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110)
    return written.getvalue()
