"""chrF2 from counts by line, the same figure as sacreBLEU's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from controldag.metrics.measure import Floats, Measure
from controldag.metrics.pairing import check_one_each

ORDERS = 6
_BETA_SQUARED = 4.0  # recall counts twice as much as precision


def chrf(texts: Sequence[str], references: Sequence[Sequence[str]]) -> Measure:
    """`chrf`: of several references the best one counts. A line without a reference counts for nothing."""
    check_one_each("texts", texts, references)
    rows = np.zeros((len(texts), 3 * ORDERS))
    for row, (text, each) in enumerate(zip(texts, references, strict=True)):
        if each:
            said = _ngrams(text)
            options = np.asarray([_counts(said, _ngrams(reference)) for reference in each])
            rows[row] = options[int(np.argmax(np.nan_to_num(chrf_from(options))))]
    most = max(map(len, references))
    refs = "1" if most == 1 else "best of all"
    signature = f"nrefs:{refs}|case:mixed|eff:yes|nc:{ORDERS}|nw:0|space:no|as sacrebleu:{version('sacrebleu')}"
    return Measure("chrf", signature, rows, chrf_from)


def chrf_from(sums: Floats) -> Floats:
    """chrF2 in percent of sums (n-grams of the text, of the reference, common ones; by order); any leading axes."""
    said, wanted, common = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    used = (said > 0) & (wanted > 0)
    orders = np.maximum(1, used.sum(axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(used, common / said, 0.0).sum(axis=-1) / orders
        recall = np.where(used, common / wanted, 0.0).sum(axis=-1) / orders
        score = 100.0 * (1 + _BETA_SQUARED) * precision * recall / (_BETA_SQUARED * precision + recall)
    score = np.where(precision + recall > 0, score, 0.0)
    return np.asarray(np.where(wanted[..., 0] > 0, score, np.nan))


def _counts(said: list[Counter[str]], wanted: list[Counter[str]]) -> list[int]:
    counts = []
    for one, other in zip(said, wanted, strict=True):
        common = sum(min(count, other[ngram]) for ngram, count in one.items() if ngram in other)
        # As in sacreBLEU, an order for which the reference is too short counts for nothing.
        counts += [one.total() if other else 0, other.total(), common]
    return counts


def _ngrams(text: str) -> list[Counter[str]]:
    """The character n-grams by order, blanks left out."""
    joined = "".join(text.split())
    return [Counter(joined[at : at + n] for at in range(len(joined) - n + 1)) for n in range(1, ORDERS + 1)]
