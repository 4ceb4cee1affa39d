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


@triton.jit
def _kept(seed, place, RATE: tl.constexpr):  # type: ignore[no-untyped-def]
    """Whether each place is kept: a hash of place and seed against the rate (see `kept_places` for plain PyTorch)."""
    x = place.to(tl.uint32) * 0x9E3779B9 + seed
    x ^= x >> 16
    x *= 0x7FEB352D
    x ^= x >> 15
    x *= 0x846CA68B
    x ^= x >> 16
    return (x >> 8).to(tl.float32) >= RATE * 16777216.0  # 24 bits, which a float holds


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
    """The product with its biases, −inf outside; `row` and `column` broadcast to its shape."""
    inside = (row < queries) & (column < keys)
    if HAS_SHARED:
        product += tl.load(shared + row * keys + column, mask=inside, other=0.0).to(tl.float32)
    if HAS_OWN:
        product += tl.load(own + column, mask=column < keys, other=0.0)
    return tl.where(column < keys, product, float("-inf"))


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
    keys,
    q_example,
    q_place,
    k_example,
    k_place,
    v_example,
    v_place,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    RATE: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
):
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
    highest = tl.full((ROWS,), float("-inf"), tl.float32)
    mass = tl.zeros((ROWS,), tl.float32)
    mixed = tl.zeros((ROWS, SIZE), tl.float32)
    if RATE > 0:
        seed = tl.load(seeds).to(tl.uint32) + before.to(tl.uint32) * 0x9E3779B9
    for start in range(0, keys, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        key = _vectors(k, example * k_example + head * SIZE, column, k_place, keys, SIZE)
        value = _vectors(v, example * v_example + head * SIZE, column, v_place, keys, SIZE)
        product = tl.dot(query, tl.trans(key), input_precision=EXACT)
        score = _scores(product, shared, own, row[:, None], column[None, :], queries, keys, HAS_SHARED, HAS_OWN)
        higher = tl.maximum(highest, tl.max(score, 1))
        weight = tl.exp(score - higher[:, None])
        fade = tl.exp(highest - higher)
        mass = mass * fade + tl.sum(weight, 1)
        if RATE > 0:
            weight = tl.where(_kept(seed, row[:, None] * keys + column[None, :], RATE), weight, 0.0)
        mixed = mixed * fade[:, None] + tl.dot(weight.to(value.dtype), value, input_precision=EXACT)
        highest = higher
    mixed = mixed / (mass * (1.0 - RATE))[:, None]
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
    deltas,
    heads,
    queries,
    keys,
    q_example,
    q_place,
    k_example,
    k_place,
    v_example,
    v_place,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    RATE: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
):
    """Gradients of the queries and (where there is a shared bias) of the scores; Σ out·upstream for the next kernel."""
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
    tl.store(deltas + pair * queries + row, delta, mask=row < queries)
    total = tl.load(totals + pair * queries + row, mask=row < queries, other=0.0)
    gradient = tl.zeros((ROWS, SIZE), tl.float32)
    if RATE > 0:
        seed = tl.load(seeds).to(tl.uint32) + before.to(tl.uint32) * 0x9E3779B9
    for start in range(0, keys, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        key = _vectors(k, example * k_example + head * SIZE, column, k_place, keys, SIZE)
        value = _vectors(v, example * v_example + head * SIZE, column, v_place, keys, SIZE)
        product = tl.dot(query, tl.trans(key), input_precision=EXACT)
        score = _scores(product, shared, own, row[:, None], column[None, :], queries, keys, HAS_SHARED, HAS_OWN)
        weight = tl.exp(score - total[:, None])
        to_weight = tl.dot(wanted, tl.trans(value), input_precision=EXACT)
        place = row[:, None] * keys + column[None, :]
        if RATE > 0:
            to_weight = tl.where(_kept(seed, place, RATE), to_weight * (1.0 / (1.0 - RATE)), 0.0)
        to_score = weight * (to_weight - delta[:, None])
        gradient += tl.dot(to_score.to(key.dtype), key, input_precision=EXACT)
        if HAS_SHARED:
            tl.store(to_scores + before + place, to_score, mask=real & (column[None, :] < keys))
    tl.store(to_q + spot, gradient, mask=real)


@triton.jit
def attention_key_gradient_kernel(  # type: ignore[no-untyped-def]
    q,
    k,
    v,
    shared,
    own,
    seeds,
    totals,
    upstream,
    deltas,
    to_k,
    to_v,
    heads,
    queries,
    keys,
    q_example,
    q_place,
    k_example,
    k_place,
    v_example,
    v_place,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    RATE: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
):
    """Gradients of keys and values. Everything is turned round: a row of a tile is a key, a column a query."""
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    if HAS_SHARED:
        shared += head * queries * keys
    if HAS_OWN:
        own += example * keys
    before = pair * queries * keys  # weights of other heads and examples
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    size = tl.arange(0, SIZE)
    real = column[:, None] < keys
    key = _vectors(k, example * k_example + head * SIZE, column, k_place, keys, SIZE)
    value = _vectors(v, example * v_example + head * SIZE, column, v_place, keys, SIZE)
    to_key = tl.zeros((COLUMNS, SIZE), tl.float32)
    to_value = tl.zeros((COLUMNS, SIZE), tl.float32)
    if RATE > 0:
        seed = tl.load(seeds).to(tl.uint32) + before.to(tl.uint32) * 0x9E3779B9
    for start in range(0, queries, ROWS):
        row = start + tl.arange(0, ROWS)
        inside = row[:, None] < queries
        query = _vectors(q, example * q_example + head * SIZE, row, q_place, queries, SIZE)
        spot = ((example * queries + row[:, None]) * heads + head) * SIZE + size[None, :]
        wanted = tl.load(upstream + spot, mask=inside, other=0.0)
        # Queries outside have a total that leaves them no weight.
        total = tl.load(totals + pair * queries + row, mask=row < queries, other=float("inf"))
        delta = tl.load(deltas + pair * queries + row, mask=row < queries, other=0.0)
        product = tl.dot(key, tl.trans(query), input_precision=EXACT)
        score = _scores(product, shared, own, row[None, :], column[:, None], queries, keys, HAS_SHARED, HAS_OWN)
        weight = tl.exp(score - total[None, :])
        to_weight = tl.dot(value, tl.trans(wanted), input_precision=EXACT)
        dropped = weight
        if RATE > 0:
            kept = _kept(seed, row[None, :] * keys + column[:, None], RATE)
            dropped = tl.where(kept, weight * (1.0 / (1.0 - RATE)), 0.0)
            to_weight = tl.where(kept, to_weight * (1.0 / (1.0 - RATE)), 0.0)
        to_value += tl.dot(dropped.to(wanted.dtype), wanted, input_precision=EXACT)
        to_score = weight * (to_weight - delta[None, :])
        to_key += tl.dot(to_score.to(query.dtype), query, input_precision=EXACT)
    spot = ((example * keys + column[:, None]) * heads + head) * SIZE + size[None, :]
    tl.store(to_k + spot, to_key, mask=real)
    tl.store(to_v + spot, to_value, mask=real)


def kept_places(seed: int, shape: tuple[int, int, int, int], rate: float) -> Tensor:
    """Which weights [B, H, T, S] the kernels keep, in plain PyTorch."""
    batch, heads, queries, keys = shape
    low = 0xFFFFFFFF
    x = torch.arange(batch * heads * queries * keys) & low
    x = (x * 0x9E3779B9 + seed) & low
    x ^= x >> 16
    x = (x * 0x7FEB352D) & low
    x ^= x >> 15
    x = (x * 0x846CA68B) & low
    x ^= x >> 16
    return ((x >> 8) >= rate * 2**24).view(shape)


def tile_sizes(queries: int, keys: int) -> dict[str, int]:
    """Tile sizes, of those tried on an H200 (docs/training.md): few different ones, since each is compiled."""
    if queries >= 128 and keys >= 128:
        rows, columns, warps = 64, 64, 4
    elif queries > 32:
        rows, columns, warps = 64, 32, 4
    else:
        rows, columns, warps = 32, 16, 2
    return {"ROWS": rows, "COLUMNS": columns, "num_warps": warps, "num_stages": 2}
