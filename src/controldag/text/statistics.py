"""What is in a data file: counts, lengths, services and relations, and the line through the lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.text.length import LengthModel

# Texts are measured this many records at a time: one call to the tokenizer for many texts is much faster.
BATCH = 4096

Measure = Callable[[list[str]], list[int]]
"""The length of each text."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution of whole numbers, by how often each occurs; quantiles by nearest rank."""

    counts: Counter[int]

    @property
    def mean(self) -> float:
        """The average, 0 when there is nothing."""
        return sum(value * count for value, count in self.counts.items()) / max(1, self.counts.total())

    @property
    def maximum(self) -> int:
        """The largest value, 0 when there is nothing."""
        return max(self.counts, default=0)

    def quantile(self, share: float) -> int:
        """The smallest value such that at least `share` of all are not above it."""
        wanted, seen = share * self.counts.total(), 0
        for value, count in sorted(self.counts.items()):
            seen += count
            if seen >= wanted:
                return value
        return 0

    def summary(self) -> dict[str, float]:
        """Mean, median, 95th and 99th percentile and maximum."""
        return {
            "mean": round(self.mean, 2),
            "p50": self.quantile(0.50),
            "p95": self.quantile(0.95),
            "p99": self.quantile(0.99),
            "max": self.maximum,
        }


@dataclass(slots=True)
class Statistics:
    """Counts over examples. Lengths are without `</s>`; `pairs` counts (input length, target length)."""

    records: int = 0
    references: int = 0
    empty_targets: int = 0
    pairs: Counter[tuple[int, int]] = field(default_factory=Counter)
    inputs: Counter[int] = field(default_factory=Counter)
    services: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    relation_sets: Counter[frozenset[str]] = field(default_factory=Counter)

    @property
    def input_lengths(self) -> Distribution:
        """Lengths of the linearised inputs, one for each record."""
        return Distribution(self.inputs)

    @property
    def target_lengths(self) -> Distribution:
        """Lengths of all references."""
        lengths: Counter[int] = Counter()
        for (_, target), count in self.pairs.items():
            lengths[target] += count
        return Distribution(lengths)

    def fit(self) -> LengthModel | None:
        """The length model through all pairs, `</s>` counted on both sides; None when no line is determined."""
        try:
            return LengthModel.fit((x + 1, y + 1) for x, y in self.pairs.elements())
        except InvalidInput:
            return None


def measure(examples: Iterable[Example], linearise: Callable[[Example], str], length: Measure) -> Statistics:
    """The statistics of `examples`, read once; memory grows with what is different, not with the file."""
    result = Statistics()
    for batch in _batches(examples):
        inputs = length([linearise(example) for example in batch])
        targets = iter(length([reference for example in batch for reference in example.references]))
        for example, input_length in zip(batch, inputs, strict=True):
            _count(result, example)
            result.inputs[input_length] += 1
            result.pairs.update((input_length, next(targets)) for _ in example.references)
    return result


def seen_and_unseen(statistics: Statistics, train: Statistics) -> dict[str, Any]:
    """How many records use only services (relations) of `train`, and how many use others, which are named."""
    unseen_services = sorted(statistics.services.keys() - train.services.keys())
    unseen_relations = statistics.relations.keys() - train.relations.keys()
    with_unseen = sum(n for relations, n in statistics.relation_sets.items() if relations & unseen_relations)
    records_of_unseen = sum(statistics.services[service] for service in unseen_services)
    return {
        "records_seen": statistics.records - records_of_unseen - with_unseen,
        "records_unseen": records_of_unseen + with_unseen,
        "unseen_services": unseen_services,
        "unseen_relations": len(unseen_relations),
    }


def count_words(texts: list[str]) -> list[int]:
    """The number of blank-separated words of each text: the measure when no tokenizer is given."""
    return [len(text.split()) for text in texts]


def _count(result: Statistics, example: Example) -> None:
    result.records += 1
    result.references += len(example.references)
    result.empty_targets += sum(not reference for reference in example.references)
    if example.acts:
        result.services[example.service] += 1
        result.acts.update(act.act for act in example.acts)
    if example.triples:
        relations = [triple.relation for triple in example.triples]
        result.relations.update(relations)
        result.relation_sets[frozenset(relations)] += 1


def _batches(examples: Iterable[Example]) -> Iterator[list[Example]]:
    iterator = iter(examples)
    while batch := list(islice(iterator, BATCH)):
        yield batch
