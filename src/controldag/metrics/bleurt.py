"""BLEURT by the official package and a checkpoint that the user names; without one there is no figure."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from controldag.errors import ControlDagError, InvalidInput
from controldag.metrics.measure import Floats, Measure, ratio
from controldag.metrics.pairing import check_one_each

NO_CHECKPOINT = "no BLEURT checkpoint given"
_BATCH = 64


def bleurt(texts: Sequence[str], references: Sequence[Sequence[str]], checkpoint: str | Path) -> Measure:
    """`bleurt`: the mean score, times 100, over all pairs of a text and a reference. Slow without a GPU."""
    check_one_each("texts", texts, references)
    folder = Path(checkpoint)
    if not folder.is_dir():
        raise InvalidInput.of("bleurt", "be the folder of a BLEURT checkpoint", str(checkpoint), remedy="Unpack one.")
    try:
        scorer = import_module("bleurt.score").BleurtScorer(str(folder))
    except ImportError as error:
        remedy = "Install it from its repository (google-research/bleurt), or leave --bleurt out."
        raise ControlDagError("BLEURT needs the package bleurt and TensorFlow.", remedy=remedy) from error
    pairs = [(line, one) for line, each in enumerate(references) for one in each]
    scores = scorer.score(
        references=[one for _, one in pairs], candidates=[texts[line] for line, _ in pairs], batch_size=_BATCH
    )
    statistics: Floats = np.zeros((len(texts), 2))
    for (line, _), score in zip(pairs, scores, strict=True):
        statistics[line] += (100.0 * score, 1.0)
    return Measure("bleurt", f"checkpoint:{folder.name}|mean over pairs|times 100", statistics, ratio)
