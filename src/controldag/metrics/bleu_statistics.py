"""BLEU, brevity penalty and length ratio from counts by line, the same figures as sacreBLEU's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from controldag.metrics.measure import Floats, Measure, ratio
from controldag.metrics.pairing import check_one_each

ORDERS = 4
_WIDTH = 2 + 2 * ORDERS
# sacreBLEU's logarithm of 0.
_NOTHING = -9999999999.0

Ngrams = Counter[tuple[str, ...]]
_tokenize: Callable[[str], str] = BLEU().tokenizer


def bleu_measures(texts: Sequence[str], references: Sequence[Sequence[str]], most: int = 3) -> tuple[Measure, ...]:
    """`bleu`, `bp` and `length_ratio`: the first `most` references of a line together, as DART's own evaluation.

    A line without a reference counts for nothing.
    """
    check_one_each("texts", texts, references)
    rows = [
        counts(text, each[:most]) if each else np.zeros(_WIDTH) for text, each in zip(texts, references, strict=True)
    ]
    signature = _signature("1" if max(map(len, references)) == 1 else f"up to {most} together")
    return _measures(rows, signature)


def flattened_bleu_measures(texts: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[Measure, ...]:
    """`bleu_single`, `bp_single` and `length_ratio_single`: each reference of a line makes a pair with its text.

    The paper's figures for DART are most likely such ones.
    """
    check_one_each("texts", texts, references)
    rows = [
        np.sum([counts(text, [one]) for one in each], axis=0) if each else np.zeros(_WIDTH)
        for text, each in zip(texts, references, strict=True)
    ]
    return _measures(rows, _signature("1, each of a line's a pair of its own"), "_single")


def _measures(rows: Sequence[Floats], signature: str, suffix: str = "") -> tuple[Measure, ...]:
    statistics = np.asarray(rows, np.float64)
    lengths = f"{signature}|tokens of the texts by those of the references"
    return (
        Measure(f"bleu{suffix}", signature, statistics, bleu_from),
        Measure(f"bp{suffix}", signature, statistics, brevity_from),
        Measure(f"length_ratio{suffix}", lengths, statistics, ratio),
    )


def counts(text: str, references: Sequence[str]) -> Floats:
    """Length of the text, length of the closest reference, then matches and n-grams by order."""
    said = _ngrams(text)
    length = _length(text)
    best: Ngrams = Counter()
    for reference in references:
        best |= _ngrams(reference)
    closest = min((_length(reference) for reference in references), key=lambda each: (abs(each - length), each))
    result = np.zeros(_WIDTH)
    result[:2] = length, closest
    for ngram, count in said.items():
        order = len(ngram)
        result[1 + order] += min(count, best[ngram])
        result[1 + ORDERS + order] += count
    return result


def bleu_from(sums: Floats) -> Floats:
    """BLEU in percent (exponential smoothing, no effective order) of sums that `counts` gave; any leading axes."""
    correct, total = sums[..., 2 : 2 + ORDERS], sums[..., 2 + ORDERS :]
    # The k-th order without a match counts as 1 / 2^k of a match. From the first order without n-grams on, nothing is.
    present = np.minimum.accumulate(total > 0, axis=-1)
    missed = (correct == 0) & present
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), correct)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(present, np.log(100.0 * smoothed / total), _NOTHING)
        score = brevity_from(sums) * np.exp(logs.mean(axis=-1))
    score = np.where(correct.any(axis=-1), score, 0.0)
    return np.asarray(np.where(sums[..., 1] > 0, score, np.nan))


def brevity_from(sums: Floats) -> Floats:
    """The brevity penalty of sums that `counts` gave."""
    said, wanted = sums[..., 0], sums[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        penalty = np.where(said > 0, np.exp(np.minimum(0.0, 1 - wanted / said)), 0.0)
    return np.asarray(np.where(wanted > 0, penalty, np.nan))


@lru_cache(maxsize=2**16)
def _ngrams(text: str) -> Ngrams:
    """All n-grams of the tokens, up to order 4. The result is shared: it must not be changed."""
    tokens = _tokenize(text.rstrip()).split()
    return Counter(
        tuple(tokens[at : at + order]) for order in range(1, ORDERS + 1) for at in range(len(tokens) - order + 1)
    )


def _length(text: str) -> int:
    return len(_tokenize(text.rstrip()).split())


def _signature(refs: str) -> str:
    """sacreBLEU's own, with how references were used."""
    metric = BLEU()
    metric.corpus_score(["a"], [["a"]])
    parts = [part for part in str(metric.get_signature()).split("|") if not part.startswith("nrefs")]
    return "|".join([f"nrefs:{refs}", *parts])
