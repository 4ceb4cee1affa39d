"""Buckets hold every example once, shapes fit, epochs are repeatable."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config
from controldag.training.batching import batches_per_epoch, epoch_batches, plan_buckets, sizes_of
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


def test_graphs_are_sized_by_what_is_expected_and_short_sources_are_not_padded_to_long_ones() -> None:
    sizes = [(10 + 40 * (i % 2), 6) for i in range(40)]
    pairs = replace(_pairs(sizes), expected=np.array([8.0, 20.0] * 20, np.float32))
    config = tiny_config(vertices_per_length=2.0, length_weights={"acts": [1.0, 0.0, 0.0, 0.0]})
    buckets = plan_buckets(pairs, config, BatchOptions(tokens=100, step=8, least_share=0.1, source_step=16), 1)
    assert sizes_of(pairs.expected, config).tolist()[:2] == [config.sized_for(8.0), config.sized_for(20.0)]
    assert sorted(np.concatenate([bucket.members for bucket in buckets]).tolist()) == list(range(40))
    assert {(bucket.shape.source, bucket.shape.graph) for bucket in buckets} == {(16, 16), (56, 40)}
    alike = replace(pairs, expected=np.full(40, 8.0, np.float32))
    apart = plan_buckets(alike, config, BatchOptions(tokens=100, step=8, least_share=0.1, source_step=16), 1)
    assert sorted(bucket.shape.source for bucket in apart) == [16, 56]
    with pytest.raises(InvalidInput, match="without expected lengths"):
        sizes_of(None, config)


def test_epochs_differ() -> None:
    buckets = plan_buckets(_pairs([(4, 5)] * 64), tiny_config(), BatchOptions(tokens=200, step=8), 1)
    one, two = (epoch_batches(buckets, epoch, seed=1, count=64, variants=1) for epoch in (0, 1))
    assert any((a.examples != b.examples).any() for a, b in zip(one, two, strict=True))


def test_padding_keeps_tokens() -> None:
    ragged = Ragged.of([[1, 2, 3], [], [4]])
    assert ragged.padded(0).tolist() == [[1, 2, 3], [0, 0, 0], [4, 0, 0]]
    assert [ragged[i] for i in range(3)] == [[1, 2, 3], [], [4]]
