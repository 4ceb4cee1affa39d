"""What the attention kernels take: tile sizes that Triton can compile, and clear words for what it cannot."""

from __future__ import annotations

import pytest
import torch

pytest.importorskip("triton")

from controldag.errors import InvalidInput
from controldag.model.kernels.attention_op import check_sizes
from controldag.model.kernels.attention_triton import tile_sizes

LENGTHS = (1, 8, 16, 17, 32, 33, 80, 127, 128, 192, 200, 720, 1024)


@pytest.mark.parametrize("kernel", ["forward", "query", "key"])
def test_tiles_are_powers_of_two_of_at_least_sixteen(kernel: str) -> None:
    found = {tile_sizes(kernel, queries, keys) for queries in LENGTHS for keys in LENGTHS}
    for rows, columns, warps, stages in found:
        # Products of matrices need sides of 16; a warp of 32 threads should have at least a number each.
        assert all(side >= 16 and side & (side - 1) == 0 for side in (rows, columns))
        assert rows * columns >= 32 * warps and warps in (1, 2, 4, 8) and 1 <= stages <= 4
    assert len(found) <= 4  # each is compiled


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((2, 5, 4, 8), "`d_kv` must be a power of two from 16 on"),
        ((2, 5, 4, 48), "`d_kv` must be a power of two from 16 on"),
        ((9000, 1, 8, 16), "`examples in a batch` must be at most 8191 with 8 heads"),
    ],
)
def test_sizes_that_the_kernels_cannot_take_are_refused(shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_sizes(torch.empty(shape, device="meta"))
    check_sizes(torch.empty(2, 5, 4, 64, device="meta"))
