"""T5's attention as Triton kernels: softmax(Q·Kᵀ + biases), dropout, times V, and its gradients.

torch's memory-efficient kernel takes one bias [B, H, T, S], which has to be summed, stored, read by every layer and
given a gradient of that size. Here two biases stay apart: relative positions, the same for all examples, and padding.

Shapes: B examples, T queries, S keys, H heads, D = d_kv; queries, keys and values are [B, T or S, H, D], as the linear
layers give them. `shared` [H, T, S] and `own` [B, S] are the biases; either may be missing.

Which weights are dropped follows from a seed and the place of the weight, so the backward pass draws them again.
"""
# ruff: noqa: N803

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

_RANGE = tl.constexpr(4294967296.0)  # of the random numbers


@triton.jit
def _kept(seed, place, rate):  # type: ignore[no-untyped-def]
    """Whether each place is kept: a hash of place and seed against the rate (see `kept_places` for plain PyTorch)."""
    x = place.to(tl.uint32) * 0x9E3779B9 + seed
    x ^= x >> 16
    x *= 0x7FEB352D
    x ^= x >> 15
    x *= 0x846CA68B
    x ^= x >> 16
    return x.to(tl.float32) >= rate * _RANGE


@triton.jit
def _scores(  # type: ignore[no-untyped-def]
    product,
    shared,
    own,
    head,
    example,
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
        product += tl.load(shared + (head * queries + row) * keys + column, mask=inside, other=0.0).to(tl.float32)
    if HAS_OWN:
        product += tl.load(own + example * keys + column, mask=column < keys, other=0.0)
    return tl.where(column < keys, product, float("-inf"))


@triton.jit
def _attention_forward_kernel(  # type: ignore[no-untyped-def]
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
    rate,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    DROPS: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
):
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    size = tl.arange(0, SIZE)
    real = row[:, None] < queries
    query = tl.load(
        q + example * q_example + row[:, None] * q_place + head * SIZE + size[None, :], mask=real, other=0.0
    )
    highest = tl.full((ROWS,), float("-inf"), tl.float32)
    mass = tl.zeros((ROWS,), tl.float32)
    mixed = tl.zeros((ROWS, SIZE), tl.float32)
    if DROPS:
        seed = tl.load(seeds).to(tl.uint32)
    for start in range(0, keys, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        inside = column[:, None] < keys
        key = tl.load(
            k + example * k_example + column[:, None] * k_place + head * SIZE + size[None, :], mask=inside, other=0.0
        )
        value = tl.load(
            v + example * v_example + column[:, None] * v_place + head * SIZE + size[None, :], mask=inside, other=0.0
        )
        product = tl.dot(query, tl.trans(key), input_precision=EXACT)
        score = _scores(
            product, shared, own, head, example, row[:, None], column[None, :], queries, keys, HAS_SHARED, HAS_OWN
        )
        higher = tl.maximum(highest, tl.max(score, 1))
        weight = tl.exp(score - higher[:, None])
        fade = tl.exp(highest - higher)
        mass = mass * fade + tl.sum(weight, 1)
        if DROPS:
            place = (pair * queries + row[:, None]) * keys + column[None, :]
            weight = tl.where(_kept(seed, place, rate), weight, 0.0)
        mixed = mixed * fade[:, None] + tl.dot(weight.to(value.dtype), value, input_precision=EXACT)
        highest = higher
    if DROPS:
        mixed = mixed / (1.0 - rate)
    mixed = mixed / mass[:, None]
    tl.store(out + ((example * queries + row[:, None]) * heads + head) * SIZE + size[None, :], mixed, mask=real)
    tl.store(totals + pair * queries + row, highest + tl.log(mass), mask=row < queries)


@triton.jit
def _attention_query_gradient_kernel(  # type: ignore[no-untyped-def]
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
    rate,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    DROPS: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
):
    """Gradients of the queries and (where there is a shared bias) of the scores; Σ out·upstream for the next kernel."""
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    size = tl.arange(0, SIZE)
    real = row[:, None] < queries
    query = tl.load(
        q + example * q_example + row[:, None] * q_place + head * SIZE + size[None, :], mask=real, other=0.0
    )
    spot = ((example * queries + row[:, None]) * heads + head) * SIZE + size[None, :]
    wanted = tl.load(upstream + spot, mask=real, other=0.0)
    said = tl.load(out + spot, mask=real, other=0.0)
    delta = tl.sum(wanted.to(tl.float32) * said.to(tl.float32), 1)
    tl.store(deltas + pair * queries + row, delta, mask=row < queries)
    total = tl.load(totals + pair * queries + row, mask=row < queries, other=0.0)
    gradient = tl.zeros((ROWS, SIZE), tl.float32)
    if DROPS:
        seed = tl.load(seeds).to(tl.uint32)
    for start in range(0, keys, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        inside = column[:, None] < keys
        key = tl.load(
            k + example * k_example + column[:, None] * k_place + head * SIZE + size[None, :], mask=inside, other=0.0
        )
        value = tl.load(
            v + example * v_example + column[:, None] * v_place + head * SIZE + size[None, :], mask=inside, other=0.0
        )
        product = tl.dot(query, tl.trans(key), input_precision=EXACT)
        score = _scores(
            product, shared, own, head, example, row[:, None], column[None, :], queries, keys, HAS_SHARED, HAS_OWN
        )
        weight = tl.exp(score - total[:, None])
        to_weight = tl.dot(wanted, tl.trans(value), input_precision=EXACT)
        if DROPS:
            place = (pair * queries + row[:, None]) * keys + column[None, :]
            to_weight = tl.where(_kept(seed, place, rate), to_weight / (1.0 - rate), 0.0)
        to_score = weight * (to_weight - delta[:, None])
        gradient += tl.dot(to_score.to(key.dtype), key, input_precision=EXACT)
        if HAS_SHARED:
            place = (pair * queries + row[:, None]) * keys + column[None, :]
            tl.store(to_scores + place, to_score, mask=real & (column[None, :] < keys))
    tl.store(to_q + spot, gradient, mask=real)


@triton.jit
def _attention_key_gradient_kernel(  # type: ignore[no-untyped-def]
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
    rate,
    HAS_SHARED: tl.constexpr,
    HAS_OWN: tl.constexpr,
    DROPS: tl.constexpr,
    SIZE: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    EXACT: tl.constexpr,
):
    """Gradients of keys and values. Everything is turned round: a row of a tile is a key, a column a query."""
    pair = tl.program_id(1).to(tl.int64)
    example, head = pair // heads, pair % heads
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    size = tl.arange(0, SIZE)
    real = column[:, None] < keys
    key = tl.load(
        k + example * k_example + column[:, None] * k_place + head * SIZE + size[None, :], mask=real, other=0.0
    )
    value = tl.load(
        v + example * v_example + column[:, None] * v_place + head * SIZE + size[None, :], mask=real, other=0.0
    )
    to_key = tl.zeros((COLUMNS, SIZE), tl.float32)
    to_value = tl.zeros((COLUMNS, SIZE), tl.float32)
    if DROPS:
        seed = tl.load(seeds).to(tl.uint32)
    for start in range(0, queries, ROWS):
        row = start + tl.arange(0, ROWS)
        inside = row[:, None] < queries
        query = tl.load(
            q + example * q_example + row[:, None] * q_place + head * SIZE + size[None, :], mask=inside, other=0.0
        )
        spot = ((example * queries + row[:, None]) * heads + head) * SIZE + size[None, :]
        wanted = tl.load(upstream + spot, mask=inside, other=0.0)
        # Queries outside have a total that leaves them no weight.
        total = tl.load(totals + pair * queries + row, mask=row < queries, other=float("inf"))
        delta = tl.load(deltas + pair * queries + row, mask=row < queries, other=0.0)
        product = tl.dot(key, tl.trans(query), input_precision=EXACT)
        score = _scores(
            product, shared, own, head, example, row[None, :], column[:, None], queries, keys, HAS_SHARED, HAS_OWN
        )
        weight = tl.exp(score - total[None, :])
        to_weight = tl.dot(value, tl.trans(wanted), input_precision=EXACT)
        dropped = weight
        if DROPS:
            place = (pair * queries + row[None, :]) * keys + column[:, None]
            kept = _kept(seed, place, rate)
            dropped = tl.where(kept, weight / (1.0 - rate), 0.0)
            to_weight = tl.where(kept, to_weight / (1.0 - rate), 0.0)
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
    return (x.float() >= rate * 2.0**32).view(shape)


def _tiles(queries: int, keys: int) -> dict[str, int]:
    """Tile sizes, of those tried on an H200 (docs/training.md): few different ones, since each is compiled."""
    if queries >= 128 and keys >= 128:
        rows, columns, warps = 64, 64, 4
    elif queries > 32:
        rows, columns, warps = 64, 32, 4
    else:
        rows, columns, warps = 32, 16, 2
    return {"ROWS": rows, "COLUMNS": columns, "num_warps": warps, "num_stages": 2}


def _arguments(
    q: Tensor, k: Tensor, v: Tensor, shared: Tensor | None, own: Tensor | None, rate: float
) -> tuple[list[Any], dict[str, Any]]:
    """What all three kernels take last: sizes and strides, and what they are compiled for."""
    _, queries, heads, size = q.shape
    keys = k.shape[1]
    strides = [x.stride(axis) for x in (q, k, v) for axis in (0, 1)]
    kinds = {"HAS_SHARED": shared is not None, "HAS_OWN": own is not None, "DROPS": rate > 0, "SIZE": size}
    exact = "ieee" if q.dtype == torch.float32 else "tf32"
    return [heads, queries, keys, *strides, rate], kinds | _tiles(queries, keys) | {"EXACT": exact}


def _heads_together(x: Tensor) -> Tensor:
    """`x` [B, T, H, D] with the numbers of one place side by side."""
    return x if x.stride(3) == 1 and x.stride(2) == x.shape[3] else x.contiguous()


_FORWARD = "(Tensor q, Tensor k, Tensor v, Tensor? shared, Tensor? own, Tensor seed, float rate) -> (Tensor, Tensor)"
_BACKWARD = (
    "(Tensor upstream, Tensor q, Tensor k, Tensor v, Tensor? shared, Tensor? own, Tensor seed, Tensor out, "
    "Tensor totals, float rate) -> (Tensor, Tensor, Tensor, Tensor)"
)


@torch.library.custom_op("controldag::attention", mutates_args=(), schema=_FORWARD)
def attention(
    q: Tensor, k: Tensor, v: Tensor, shared: Tensor | None, own: Tensor | None, seed: Tensor, rate: float
) -> tuple[Tensor, Tensor]:
    """What is read [B, T, H, D], and the logarithms of the sums of weights [B, H, T], float32."""
    q, k, v = (_heads_together(x) for x in (q, k, v))
    shared = shared if shared is None else shared.contiguous()
    own = own if own is None else own.contiguous()
    batch, queries, heads, _ = q.shape
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    totals = torch.empty(batch, heads, queries, device=q.device)
    last, kinds = _arguments(q, k, v, shared, own, rate)
    grid = (triton.cdiv(queries, kinds["ROWS"]), batch * heads)
    _attention_forward_kernel[grid](q, k, v, shared, own, seed, out, totals, *last, **kinds)
    return out, totals


@torch.library.custom_op("controldag::attention_backward", mutates_args=(), schema=_BACKWARD)
def attention_backward(
    upstream: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    shared: Tensor | None,
    own: Tensor | None,
    seed: Tensor,
    out: Tensor,
    totals: Tensor,
    rate: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Gradients of q, k, v and of the shared bias (empty where there is none)."""
    q, k, v = (_heads_together(x) for x in (q, k, v))
    upstream, out = upstream.contiguous(), out.contiguous()
    shared = shared if shared is None else shared.contiguous()
    own = own if own is None else own.contiguous()
    batch, queries, heads, _ = q.shape
    keys = k.shape[1]
    to_q, to_k, to_v = (torch.empty(x.shape, dtype=x.dtype, device=x.device) for x in (q, k, v))
    deltas = torch.empty_like(totals)
    scores = (batch, heads, queries, keys) if shared is not None else (0,)
    to_scores = torch.empty(scores, dtype=q.dtype, device=q.device)
    last, kinds = _arguments(q, k, v, shared, own, rate)
    biases = (shared, own, seed)
    rows, columns = (triton.cdiv(length, kinds[side]) for length, side in ((queries, "ROWS"), (keys, "COLUMNS")))
    _attention_query_gradient_kernel[(rows, batch * heads)](
        q, k, v, *biases, out, totals, upstream, to_q, to_scores, deltas, *last, **kinds
    )
    _attention_key_gradient_kernel[(columns, batch * heads)](
        q, k, v, *biases, totals, upstream, deltas, to_k, to_v, *last, **kinds
    )
    to_shared = to_scores if shared is None else to_scores.sum(0, dtype=torch.float32).to(shared.dtype)
    return to_q, to_k, to_v, to_shared


@attention.register_fake
def _(q: Tensor, k: Tensor, v: Tensor, shared: Any, own: Any, seed: Tensor, rate: float) -> tuple[Tensor, Tensor]:
    batch, queries, heads, _ = q.shape
    return q.new_empty(q.shape), q.new_empty((batch, heads, queries), dtype=torch.float32)


@attention_backward.register_fake
def _(
    upstream: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    shared: Any,
    own: Any,
    seed: Tensor,
    out: Tensor,
    totals: Tensor,
    rate: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    to_shared = q.new_empty((0,)) if shared is None else shared.new_empty(shared.shape)
    return q.new_empty(q.shape), k.new_empty(k.shape), v.new_empty(v.shape), to_shared


def _remember(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    *tensors, rate = inputs
    ctx.save_for_backward(*tensors, *output)
    ctx.rate = rate


def _backward(ctx: Any, upstream: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    *given, out, totals = ctx.saved_tensors
    to_q, to_k, to_v, to_shared = attention_backward(upstream, *given, out, totals, ctx.rate)
    return to_q, to_k, to_v, to_shared if given[3] is not None else None, None, None, None


attention.register_autograd(_backward, setup_context=_remember)


def triton_attention(
    q: Tensor, k: Tensor, v: Tensor, shared: Tensor | None, own: Tensor | None, dropout: float
) -> Tensor:
    """[B, T, H, D] from queries [B, T, H, D], keys and values [B, S, H, D], biases [H, T, S] and [B, S]."""
    seed = torch.zeros((), dtype=torch.int64, device=q.device)
    if dropout > 0:
        seed = torch.randint(2**31 - 1, (), device=q.device)
    out: Tensor = attention(q, k, v, shared, own, seed, dropout)[0]
    return out
