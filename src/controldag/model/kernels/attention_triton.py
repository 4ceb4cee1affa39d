"""T5's attention as Triton kernels: softmax(Q·Kᵀ + biases), dropout, times V, and its gradients.

torch's memory-efficient kernel takes one bias [B, H, T, S], which has to be summed, stored, read by every layer and
given a gradient of that size. Here two biases stay apart: relative positions, the same for all examples, and padding.

Shapes: B examples, T queries, S keys, H heads, D = d_kv; queries, keys and values are [B, T or S, H, D], as the linear
layers give them. `shared` [H, T, S] and `own` [B, S] are the biases; either may be missing.

Which weights are dropped follows from a seed and the place of the weight, so the backward pass draws them again.
"""
# ruff: noqa: N803

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

# Offsets within one head are of 32 bits, which a GPU multiplies several times as fast; what comes before them is not.
# The number of keys comes as so many units of UNIT: where that is 8, rows of weights are known to begin at multiples of
# 8 numbers, and are read and written 16 bytes at a time.


_LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def _mixed(x):  # type: ignore[no-untyped-def]
    """A hash of 32 bits."""
    x = x.to(tl.uint32)
    x ^= x >> 16
    x *= 0x7FEB352D
    x ^= x >> 15
    x *= 0x846CA68B
    return x ^ (x >> 16)


@triton.jit
def _row_hash(seeds, place):  # type: ignore[no-untyped-def]
    """What `_kept` takes of the rows of weights, counted over heads and examples."""
    return _mixed(place.to(tl.uint32) * 0x9E3779B9 + tl.load(seeds).to(tl.uint32))


@triton.jit
def _column_hash(seeds, column):  # type: ignore[no-untyped-def]
    """What `_kept` takes of the columns."""
    return _mixed(column.to(tl.uint32) * 0x85EBCA77 + (tl.load(seeds).to(tl.uint32) ^ 0x27D4EB2F))


@triton.jit
def _kept(row_hash, column_hash, LIMIT: tl.constexpr):  # type: ignore[no-untyped-def]
    """Whether each weight is kept (see `kept_places` for plain PyTorch).

    There are far more weights than rows and columns: those are hashed well, and their sum once more, cheaply.
    """
    x = row_hash + column_hash
    x ^= x >> 15
    return x * 0x2C1B3C6D >= LIMIT


@triton.jit
def _vectors(x, start, place, stride, limit, SIZE: tl.constexpr):  # type: ignore[no-untyped-def]
    """The vectors of one head at these places: [places, SIZE], zeros from `limit` on."""
    spot = x + start + place[:, None] * stride + tl.arange(0, SIZE)[None, :]
    return tl.load(spot, mask=place[:, None] < limit, other=0.0)


@triton.jit
def _scores(  # type: ignore[no-untyped-def]
    product,
    shared,
    own,
    row,
    column,
    queries,
    keys,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
):
    """The product with its biases, −inf for keys that are not there."""
    if HAS_SHARED:
        inside = (row[:, None] < queries) & (column[None, :] < keys)
        product += tl.load(shared + row[:, None] * keys + column[None, :], mask=inside, other=0.0).to(tl.float32)
    if HAS_OWN:
        return product + tl.load(own + column, mask=column < keys, other=float("-inf"))[None, :]
    return tl.where(column[None, :] < keys, product, float("-inf"))


@triton.jit
def attention_forward_kernel(  # type: ignore[no-untyped-def]
    q,
    k,
    v,
    shared,
    own,
    seeds,
    out,
    totals,
    heads,
    queries,
    units,
    q_example,
    q_place,
    k_example,
    k_place,
    v_example,
    v_place,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    KEPT: tl.constexpr,
    LIMIT: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
    UNIT: tl.constexpr,
):
    keys = units * UNIT
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    if HAS_SHARED:
        shared += head * queries * keys
    if HAS_OWN:
        own += example * keys
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    size = tl.arange(0, SIZE)
    real = row[:, None] < queries
    query = _vectors(q, example * q_example + head * SIZE, row, q_place, queries, SIZE)
    highest = tl.full((ROWS,), float("-inf"), tl.float32)
    mass = tl.zeros((ROWS,), tl.float32)
    mixed = tl.zeros((ROWS, SIZE), tl.float32)
    if LIMIT > 0:
        row_hash = _row_hash(seeds, pair * queries + row)[:, None]
    for start in range(0, keys, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        key = _vectors(k, example * k_example + head * SIZE, column, k_place, keys, SIZE)
        value = _vectors(v, example * v_example + head * SIZE, column, v_place, keys, SIZE)
        product = tl.dot(query, tl.trans(key), input_precision=EXACT)
        score = _scores(product, shared, own, row, column, queries, keys, HAS_SHARED, HAS_OWN)
        higher = tl.maximum(highest, tl.max(score, 1))
        weight = tl.exp2((score - higher[:, None]) * _LOG2E)
        fade = tl.exp2((highest - higher) * _LOG2E)
        mass = mass * fade + tl.sum(weight, 1)
        if LIMIT > 0:
            weight = tl.where(_kept(row_hash, _column_hash(seeds, column)[None, :], LIMIT), weight, 0.0)
        mixed = mixed * fade[:, None] + tl.dot(weight.to(value.dtype), value, input_precision=EXACT)
        highest = higher
    mixed = mixed / (mass * KEPT)[:, None]
    tl.store(out + ((example * queries + row[:, None]) * heads + head) * SIZE + size[None, :], mixed, mask=real)
    tl.store(totals + pair * queries + row, highest + tl.log(mass), mask=row < queries)


@triton.jit
def attention_query_gradient_kernel(  # type: ignore[no-untyped-def]
    q,
    k,
    v,
    shared,
    own,
    seeds,
    out,
    totals,
    upstream,
    to_q,
    to_scores,
    weights,
    heads,
    queries,
    units,
    q_example,
    q_place,
    k_example,
    k_place,
    v_example,
    v_place,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    KEPT: tl.constexpr,
    LIMIT: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
    UNIT: tl.constexpr,
):
    """Gradients of the queries and of the scores [B, H, T, S], and the weights that were used, for the next kernel."""
    keys = units * UNIT
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    if HAS_SHARED:
        shared += head * queries * keys
    if HAS_OWN:
        own += example * keys
    before = pair * queries * keys  # weights of other heads and examples
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    size = tl.arange(0, SIZE)
    real = row[:, None] < queries
    query = _vectors(q, example * q_example + head * SIZE, row, q_place, queries, SIZE)
    spot = ((example * queries + row[:, None]) * heads + head) * SIZE + size[None, :]
    wanted = tl.load(upstream + spot, mask=real, other=0.0)
    said = tl.load(out + spot, mask=real, other=0.0)
    delta = tl.sum(wanted.to(tl.float32) * said.to(tl.float32), 1)
    total = tl.load(totals + pair * queries + row, mask=row < queries, other=0.0)
    gradient = tl.zeros((ROWS, SIZE), tl.float32)
    if LIMIT > 0:
        row_hash = _row_hash(seeds, pair * queries + row)[:, None]
    for start in range(0, keys, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        key = _vectors(k, example * k_example + head * SIZE, column, k_place, keys, SIZE)
        value = _vectors(v, example * v_example + head * SIZE, column, v_place, keys, SIZE)
        product = tl.dot(query, tl.trans(key), input_precision=EXACT)
        score = _scores(product, shared, own, row, column, queries, keys, HAS_SHARED, HAS_OWN)
        weight = tl.exp2((score - total[:, None]) * _LOG2E)
        to_weight = tl.dot(wanted, tl.trans(value), input_precision=EXACT)
        # The gradient of a score is weight · (gradient of the weight − delta), where dropped weights have none.
        used = weight
        if LIMIT > 0:
            kept = _kept(row_hash, _column_hash(seeds, column)[None, :], LIMIT)
            used = tl.where(kept, weight * (1.0 / KEPT), 0.0)
        to_score = (used * to_weight - weight * delta[:, None]).to(key.dtype)
        gradient += tl.dot(to_score, key, input_precision=EXACT)
        place = row[:, None] * keys + column[None, :]
        inside = real & (column[None, :] < keys)
        tl.store(to_scores + before + place, to_score, mask=inside)
        tl.store(weights + before + place, used.to(key.dtype), mask=inside)
    tl.store(to_q + spot, gradient, mask=real)


@triton.jit
def attention_key_gradient_kernel(  # type: ignore[no-untyped-def]
    q,
    upstream,
    to_scores,
    weights,
    to_k,
    to_v,
    heads,
    queries,
    units,
    q_example,
    q_place,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
    UNIT: tl.constexpr,
):
    """Gradients of keys and values: gradients of the scores times queries, weights times what comes from above."""
    keys = units * UNIT
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    before = pair * queries * keys
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    to_key = tl.zeros((COLUMNS, SIZE), tl.float32)
    to_value = tl.zeros((COLUMNS, SIZE), tl.float32)
    for start in range(0, queries, ROWS):
        row = start + tl.arange(0, ROWS)
        place = row[:, None] * keys + column[None, :]
        inside = (row[:, None] < queries) & (column[None, :] < keys)
        query = _vectors(q, example * q_example + head * SIZE, row, q_place, queries, SIZE)
        wanted = _vectors(upstream, (example * queries * heads + head) * SIZE, row, heads * SIZE, queries, SIZE)
        to_score = tl.load(to_scores + before + place, mask=inside, other=0.0)
        weight = tl.load(weights + before + place, mask=inside, other=0.0)
        to_key += tl.dot(tl.trans(to_score), query, input_precision=EXACT)
        to_value += tl.dot(tl.trans(weight), wanted, input_precision=EXACT)
    spot = ((example * keys + column[:, None]) * heads + head) * SIZE + tl.arange(0, SIZE)[None, :]
    real = column[:, None] < keys
    tl.store(to_k + spot, to_key, mask=real)
    tl.store(to_v + spot, to_value, mask=real)


def limit_of(rate: float) -> int:
    """The hash from which on a weight is kept."""
    return int(rate * 2**32)


def kept_places(seed: int, shape: tuple[int, int, int, int], rate: float) -> Tensor:
    """Which weights [B, H, T, S] the kernels keep, in plain PyTorch."""
    batch, heads, queries, keys = shape
    low = 0xFFFFFFFF

    def mixed(x: Tensor) -> Tensor:
        x = x & low
        x ^= x >> 16
        x = (x * 0x7FEB352D) & low
        x ^= x >> 15
        x = (x * 0x846CA68B) & low
        return x ^ (x >> 16)

    rows = mixed(torch.arange(batch * heads * queries) * 0x9E3779B9 + seed)
    columns = mixed(torch.arange(keys) * 0x85EBCA77 + (seed ^ 0x27D4EB2F))
    x = (rows[:, None] + columns[None, :]) & low
    x ^= x >> 15
    return ((x * 0x2C1B3C6D & low) >= limit_of(rate)).view(shape)


# Rows and columns of a tile, warps and stages.
Tiles = tuple[int, int, int, int]


def tile_sizes(kernel: str, queries: int, keys: int) -> Tiles:
    """Tile sizes of a kernel: `forward`, `query` or `key` (the gradients).

    The best or nearly the best of those that `python -m tools.bench_attention --sweep` tries, on an H200;
    few different ones, since each is compiled.
    """
    if queries <= 32 or keys <= 16 or (kernel == "query" and queries < 128):
        return 16, 16, 1, 2
    if kernel == "key" and keys > 32:
        return (32 if queries < 128 else 64), 64, 4, 2
    if kernel == "query" and keys > 192:
        return 64, 64, 4, 3
    return 64, 32, 4, 2
