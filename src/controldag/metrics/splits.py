"""Parts of a data file that deserve figures of their own: seen and unseen, verbatim in training or not, no repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from controldag.data.records import Example
from controldag.metrics.background import TrainingData
from controldag.metrics.measure import Rows


def splits(examples: Sequence[Example], training: TrainingData | None) -> dict[str, Rows]:
    """By name the lines of each part that is neither empty nor everything.

    `seen`: the service, or every relation, is in the training data; `unseen`: the others. `verbatim`: a reference is a
    training reference as it stands; `novel`: the others. `without_repeats`: of equal sets of triples the first.
    """
    parts = {name: np.flatnonzero(np.asarray(flags, bool)) for name, flags in _flags(examples, training)}
    return {name: rows for name, rows in parts.items() if 0 < len(rows) < len(examples)}


def _flags(examples: Sequence[Example], training: TrainingData | None) -> Iterator[tuple[str, list[bool]]]:
    if training is not None:
        seen = [example in training.seen for example in examples]
        yield "seen", seen
        yield "unseen", [not each for each in seen]
        verbatim = [not training.references.isdisjoint(example.references) for example in examples]
        yield "verbatim", verbatim
        yield "novel", [not each for each in verbatim]
    if any(example.triples for example in examples):
        yield "without_repeats", _first_of_equals(examples)


def _first_of_equals(examples: Sequence[Example]) -> list[bool]:
    met: set[frozenset[object]] = set()
    first = []
    for example in examples:
        key = frozenset(example.triples)
        first.append(not key or key not in met)
        met.add(key)
    return first
