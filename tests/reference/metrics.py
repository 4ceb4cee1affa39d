"""Metrics the slow, obvious way: every choice of places tried, every bootstrap draw scored by sacreBLEU itself."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from sacrebleu.metrics.bleu import BLEU


def can_be_placed(values: Sequence[str], text: str) -> bool:
    """Whether any choice of one whole-word place for each value has no two places overlapping."""
    spots = [
        [
            (at, at + len(value))
            for at in range(len(text) - len(value) + 1)
            if text[at : at + len(value)] == value
            and not (at > 0 and text[at - 1].isalnum() and value[0].isalnum())
            and not (at + len(value) < len(text) and text[at + len(value)].isalnum() and value[-1].isalnum())
        ]
        for value in values
    ]
    return any(
        all(one[1] <= other[0] or other[1] <= one[0] for one, other in itertools.combinations(choice, 2))
        for choice in itertools.product(*spots)
    )


def bootstrap_bleu(texts: Sequence[str], references: Sequence[str], draws: int, seed: int) -> list[float]:
    """BLEU of each draw, the drawn lines written out and scored as a corpus."""
    random = np.random.RandomState(seed)
    scores = []
    for _ in range(draws):
        lines = random.randint(len(texts), size=len(texts))
        scores.append(BLEU().corpus_score([texts[i] for i in lines], [[references[i] for i in lines]]).score)
    return scores
