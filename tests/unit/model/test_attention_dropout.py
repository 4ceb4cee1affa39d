"""The hash that draws dropout in the Triton kernels, in plain PyTorch: a fair coin that forgets its neighbours."""

from __future__ import annotations

import pytest

pytest.importorskip("triton")

from controldag.model.kernels.attention_triton import kept_places

SHAPE = (4, 8, 80, 80)


@pytest.mark.parametrize("seed", [0, 1, 77, 2**31 - 5])
def test_it_keeps_its_share_whatever_the_neighbours(seed: int) -> None:
    kept = kept_places(seed, SHAPE, 0.1)
    pairs = {
        "keys": (kept[..., 1:], kept[..., :-1]),
        "queries": (kept[:, :, 1:], kept[:, :, :-1]),
        "heads": (kept[:, 1:], kept[:, :-1]),
        "examples": (kept[1:], kept[:-1]),
        "seeds": (kept, kept_places(seed + 1, SHAPE, 0.1)),
    }
    assert kept.float().mean().item() == pytest.approx(0.9, abs=0.003)
    for name, (one, other) in pairs.items():
        assert (one & other).float().mean().item() == pytest.approx(0.81, abs=0.006), name


def test_nothing_is_dropped_at_rate_zero() -> None:
    assert kept_places(5, SHAPE, 0.0).all()


@pytest.mark.parametrize("axis", ["rows", "columns"])
def test_any_two_rows_and_any_two_columns_are_independent(axis: str) -> None:
    # A weight is dropped by a hash of the sum of two hashes: rows that share columns must not go together for it.
    kept = kept_places(12345, (8, 8, 128, 128), 0.1).double().flatten(0, 2) - 0.9
    kept = kept[:1024] if axis == "rows" else kept.T
    count, length = kept.shape
    correlations = (kept @ kept.T) / length / 0.09
    correlations.fill_diagonal_(0.0)
    typical = (correlations.square().sum() / (count * (count - 1))).sqrt().item()
    assert typical * length**0.5 == pytest.approx(1.0, abs=0.02)  # as of true chance
    assert correlations.abs().max().item() < 7.5 / length**0.5
