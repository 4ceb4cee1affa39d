"""Buckets hold every example once, shapes fit, epochs are repeatable."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from controldag.model.config import ART5Config
from controldag.training.batching import batches_per_epoch, epoch_batches, plan_buckets
from controldag.training.corpus import Pairs, Ragged
from controldag.training.options import BatchOptions
from tests.unit.model.tiny import tiny_config

lengths = st.lists(st.tuples(st.integers(1, 20), st.integers(2, 50)), min_size=1, max_size=80)


def _pairs(sizes: list[tuple[int, int]]) -> Pairs:
    return Pairs(Ragged.of([[5] * n for n, _ in sizes]), Ragged.of([[6] * m for _, m in sizes]))


@settings(max_examples=60, deadline=None)
@given(lengths, st.integers(50, 400), st.booleans())
def test_every_example_is_in_one_bucket_that_fits_it(sizes: list[tuple[int, int]], tokens: int, words: bool) -> None:
    pairs = _pairs(sizes)
    config = ART5Config() if words else tiny_config()
    buckets = plan_buckets(pairs, config, BatchOptions(tokens=tokens, step=8, least_share=0.1), 1)
    members = np.concatenate([bucket.members for bucket in buckets])
    assert sorted(members.tolist()) == list(range(len(sizes)))
    for bucket in buckets:
        for member in bucket.members:
            n, m = sizes[member]
            assert n <= bucket.shape.source and m <= bucket.shape.target
            if not words:
                assert tiny_config().graph_size(n, m) <= bucket.shape.graph
    first = epoch_batches(buckets, 0, seed=1, count=len(sizes), variants=1)
    again = epoch_batches(buckets, 0, seed=1, count=len(sizes), variants=1)
    assert len(first) == batches_per_epoch(buckets)
    assert all((a.examples == b.examples).all() and a.shape == b.shape for a, b in zip(first, again, strict=True))
    used = np.concatenate([batch.examples for batch in first])
    assert len(set(used.tolist())) == len(used)


def test_epochs_differ() -> None:
    buckets = plan_buckets(_pairs([(4, 5)] * 64), tiny_config(), BatchOptions(tokens=200, step=8), 1)
    one, two = (epoch_batches(buckets, epoch, seed=1, count=64, variants=1) for epoch in (0, 1))
    assert any((a.examples != b.examples).any() for a, b in zip(one, two, strict=True))


def test_padding_keeps_tokens() -> None:
    ragged = Ragged.of([[1, 2, 3], [], [4]])
    assert ragged.padded(0).tolist() == [[1, 2, 3], [0, 0, 0], [4, 0, 0]]
    assert [ragged[i] for i in range(3)] == [[1, 2, 3], [], [4]]
