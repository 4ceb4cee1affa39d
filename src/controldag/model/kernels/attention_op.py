"""The kernels of model/kernels/attention_triton.py as an operator of torch: with gradients, opaque to the compiler.

Shapes as there.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
from torch import Tensor

from controldag.errors import InvalidInput
from controldag.model.kernels.attention_triton import (
    attention_forward_kernel,
    attention_key_gradient_kernel,
    attention_query_gradient_kernel,
    limit_of,
    tile_sizes,
)


def _compiled_for(kernel: str, q: Tensor, keys: int) -> dict[str, Any]:
    """What a kernel is compiled for by shape and dtype."""
    rows, columns, warps, stages = tile_sizes(kernel, q.shape[1], keys)
    sizes = {"SIZE": q.shape[3], "ROWS": rows, "COLUMNS": columns, "num_warps": warps, "num_stages": stages}
    return sizes | {"EXACT": "ieee" if q.dtype == torch.float32 else "tf32", "UNIT": _unit(keys)}


def _unit(keys: int) -> int:
    return 8 if keys % 8 == 0 else 1


def _dropping(rate: float) -> dict[str, Any]:
    return {"KEPT": 1.0 - rate, "LIMIT": limit_of(rate)}


def _strides(*tensors: Tensor) -> list[int]:
    """Those of examples and places."""
    return [x.stride(axis) for x in tensors for axis in (0, 1)]


def _heads_together(x: Tensor) -> Tensor:
    """`x` [B, T, H, D] with the numbers of one place side by side."""
    return x if x.stride(3) == 1 and x.stride(2) == x.shape[3] else x.contiguous()


_MOST = 65535  # programs along the second axis of a grid


def check_sizes(q: Tensor) -> None:
    """Refuses what the kernels cannot take, in place of an error of Triton's."""
    batch, _, heads, size = q.shape
    remedy = "Take `attention: sdpa`."
    if size < 16 or size & (size - 1):
        raise InvalidInput.of("d_kv", "be a power of two from 16 on for fused attention", size, remedy=remedy)
    if batch * heads > _MOST:
        rule = f"be at most {_MOST // heads} with {heads} heads of fused attention"
        raise InvalidInput.of("examples in a batch", rule, batch, remedy=f"{remedy} Or make `batch.tokens` smaller.")


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
    check_sizes(q)
    q, k, v = (_heads_together(x) for x in (q, k, v))
    shared = shared if shared is None else shared.contiguous()
    own = own if own is None else own.contiguous()
    batch, queries, heads, _ = q.shape
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    totals = torch.empty(batch, heads, queries, device=q.device)
    kinds = _compiled_for("forward", q, k.shape[1]) | _dropping(rate)
    grid = (triton.cdiv(queries, kinds["ROWS"]), batch * heads)
    sizes = (heads, queries, k.shape[1] // _unit(k.shape[1]), *_strides(q, k, v))
    biases = {"HAS_SHARED": shared is not None, "HAS_OWN": own is not None}
    attention_forward_kernel[grid](q, k, v, shared, own, seed, out, totals, *sizes, **biases, **kinds)
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
    # Stored, not worked out again for the keys: two numbers are read faster than product, biases and dropout made anew.
    to_scores, weights = (torch.empty(batch, heads, queries, keys, dtype=q.dtype, device=q.device) for _ in range(2))
    biases = {"HAS_SHARED": shared is not None, "HAS_OWN": own is not None}
    kinds = _compiled_for("query", q, keys)
    grid = (triton.cdiv(queries, kinds["ROWS"]), batch * heads)
    sizes = (heads, queries, keys // _unit(keys), *_strides(q, k, v))
    given = (q, k, v, shared, own, seed, out, totals, upstream)
    attention_query_gradient_kernel[grid](
        *given, to_q, to_scores, weights, *sizes, **biases, **_dropping(rate), **kinds
    )
    kinds = _compiled_for("key", q, keys)
    grid = (triton.cdiv(keys, kinds["COLUMNS"]), batch * heads)
    sizes = (heads, queries, keys // _unit(keys), *_strides(q))
    attention_key_gradient_kernel[grid](q, upstream, to_scores, weights, to_k, to_v, *sizes, **kinds)
    to_shared = to_scores.sum(0, dtype=torch.float32).to(shared.dtype) if shared is not None else q.new_empty(0)
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
