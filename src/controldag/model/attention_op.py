"""The kernels of model/attention_triton.py as an operator of torch: with gradients, opaque to the compiler.

Shapes as there.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
from torch import Tensor

from controldag.model.attention_triton import (
    attention_forward_kernel,
    attention_key_gradient_kernel,
    attention_query_gradient_kernel,
    tile_sizes,
)


def _arguments(
    q: Tensor, k: Tensor, v: Tensor, shared: Tensor | None, own: Tensor | None, rate: float
) -> tuple[list[Any], dict[str, Any]]:
    """What all three kernels take last: sizes and strides, and what they are compiled for."""
    _, queries, heads, size = q.shape
    keys = k.shape[1]
    strides = [x.stride(axis) for x in (q, k, v) for axis in (0, 1)]
    kinds = {"HAS_SHARED": shared is not None, "HAS_OWN": own is not None, "RATE": rate, "SIZE": size}
    exact = "ieee" if q.dtype == torch.float32 else "tf32"
    return [heads, queries, keys, *strides], kinds | tile_sizes(queries, keys) | {"EXACT": exact}


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
    attention_forward_kernel[grid](q, k, v, shared, own, seed, out, totals, *last, **kinds)
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
    attention_query_gradient_kernel[(rows, batch * heads)](
        q, k, v, *biases, out, totals, upstream, to_q, to_scores, deltas, *last, **kinds
    )
    attention_key_gradient_kernel[(columns, batch * heads)](
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
