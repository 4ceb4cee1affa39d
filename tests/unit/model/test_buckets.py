"""Padding to a bucket changes nothing, and batches under way keep apart."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from controldag.model.inference.buckets import BucketedForward, rounded
from controldag.model.inference.forward import FastForward
from controldag.model.inference.passes import Arrays, ExactForward, InputRow
from tests.unit.model.tiny import tiny_model

SILENT = torch.zeros(60)
SILENT[:4] = -torch.inf
SILENT[50:] = -torch.inf


def some_rows(seed: int, count: int) -> list[InputRow]:
    draw = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        ids = draw.integers(4, 60, draw.integers(1, 20)).tolist()
        spoken = draw.integers(50, 60, draw.integers(0, 3)).tolist()
        asked = sorted(set(draw.integers(0, 60, draw.integers(0, 6)).tolist()))
        rows.append(InputRow([*ids, 1], int(draw.integers(2, 64)), spoken, asked))
    return rows


def same(found: Arrays, wanted: Arrays) -> None:
    np.testing.assert_array_equal(found.tokens, wanted.tokens)
    for name in ("links", "scores", "asked", "totals", "features"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), atol=2e-5, err_msg=name)


@pytest.mark.parametrize("count", [1, 5, 9])
def test_a_padded_batch_gives_what_each_input_gives_alone(count: int) -> None:
    forward = FastForward(tiny_model(1), SILENT)
    rows = some_rows(count, count)
    exact = ExactForward(forward)
    alone = [exact.start([row], 4).arrays()[0] for row in rows]
    for batched in (exact, BucketedForward(forward)):
        for found, wanted in zip(batched.start(rows, 4).arrays(), alone, strict=True):
            same(found, wanted)
    for row, wanted in zip(rows, alone, strict=True):
        allowed = {*range(4, 50), *row.spoken}
        assert set(wanted.tokens.flatten().tolist()) <= allowed


def test_two_batches_of_one_shape_under_way_keep_apart() -> None:
    forward = FastForward(tiny_model(2), SILENT)
    bucketed, exact = BucketedForward(forward), ExactForward(forward)
    first, second = some_rows(11, 3), some_rows(12, 3)
    assert bucketed.shape_of(first, 2) == bucketed.shape_of(second, 2)
    running = bucketed.start(first, 2), bucketed.start(second, 2)
    for each, rows in zip(running, (first, second), strict=True):
        for found, wanted in zip(each.arrays(), exact.start(rows, 2).arrays(), strict=True):
            same(found, wanted)


def test_shapes_are_few_and_never_beyond_the_positions() -> None:
    bucketed = BucketedForward(FastForward(tiny_model(3), SILENT))
    shape = bucketed.shape_of([InputRow([1] * 17, 60)] * 9, 3)
    assert (shape.rows, shape.source, shape.vertices) == (64, 32, 64)
    assert rounded(50, (16, 48)) == 50 and rounded(33, (32, 64), 60) == 60
