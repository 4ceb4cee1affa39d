"""Row kernels over logits: log-sum-exp and maximum forwards, the logits' gradient backwards (Triton)."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_BLOCK = 2048  # logits a program takes at a time
_GROUP = 8  # … of which a thread reads so many at once


@triton.jit
def _statistics_kernel(logits, total, top, vocabulary, stride, BLOCK: tl.constexpr, GROUP: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: N803
    row = tl.program_id(0).to(tl.int64)
    # A group lies in one thread and has one maximum: an exponential for each logit, and few to keep up with maxima.
    columns = tl.arange(0, BLOCK // GROUP)[:, None] * GROUP + tl.arange(0, GROUP)[None, :]
    highest = tl.full((BLOCK // GROUP,), float("-inf"), tl.float32)
    mass = tl.zeros((BLOCK // GROUP,), tl.float32)
    for start in range(0, vocabulary, BLOCK):
        place = start + columns
        x = tl.load(logits + row * stride + place, mask=place < vocabulary, other=float("-inf")).to(tl.float32)
        higher = tl.maximum(highest, tl.max(x, 1))
        safe = tl.where(higher == float("-inf"), 0.0, higher)
        mass = mass * tl.exp(highest - safe) + tl.sum(tl.exp(x - safe[:, None]), 1)
        highest = higher
    peak = tl.max(highest, 0)
    summed = tl.sum(mass * tl.exp(highest - peak), 0)
    tl.store(top + row, peak)
    tl.store(total + row, peak + tl.log(summed))


@triton.jit
def _gradient_kernel(logits, total, weight, vocabulary, stride, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: N803
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    normaliser = tl.load(total + row)
    scale = tl.load(weight + row)
    for start in range(0, vocabulary, BLOCK):
        place = start + columns
        inside = place < vocabulary
        x = tl.load(logits + row * stride + place, mask=inside, other=0.0).to(tl.float32)
        tl.store(logits + row * stride + place, -scale * tl.exp(x - normaliser), mask=inside)


@triton.jit
def _add_targets_kernel(  # type: ignore[no-untyped-def]
    logits,
    targets,
    summed,
    first,
    stride,
    vertices,
    positions,
    BLOCK: tl.constexpr,  # noqa: N803
):
    row = tl.program_id(0).to(tl.int64)
    example = row // vertices
    vertex = row % vertices
    place = tl.arange(0, BLOCK)
    inside = place < positions
    lead = tl.load(first + example * positions + place, mask=inside, other=0) != 0
    token = tl.load(targets + example * positions + place, mask=lead, other=0).to(tl.int64)
    extra = tl.load(summed + (example * positions + place) * vertices + vertex, mask=lead, other=0.0)
    spot = logits + row * stride + token
    tl.store(spot, tl.load(spot, mask=lead, other=0.0).to(tl.float32) + extra, mask=lead)


def row_statistics(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Log-sum-exp and maximum of each row of `logits` [R, V], both float32 [R]; one pass over the logits."""
    rows, vocabulary = logits.shape
    total = torch.empty(rows, device=logits.device)
    top = torch.empty_like(total)
    block = min(_BLOCK, triton.next_power_of_2(vocabulary))
    given = (logits, total, top, vocabulary, logits.stride(0))
    _statistics_kernel[(rows,)](*given, BLOCK=block, GROUP=min(block, _GROUP), num_warps=4)
    return total, top


def logits_to_gradient(
    logits: Tensor, total: Tensor, weight: Tensor, targets: Tensor, summed: Tensor, first: Tensor
) -> Tensor:
    """Gradient of Σ weightᵢᵥ·log P(tokenᵢ | v), written over `logits` [B·L, V], which it returns.

    `weight` [B, L] is the sum over positions, `summed` [B, M, L] the weight of each first occurrence (`first`).
    """
    rows, vocabulary = logits.shape
    _, positions, vertices = summed.shape
    block = min(_BLOCK, triton.next_power_of_2(vocabulary))
    stride = logits.stride(0)
    _gradient_kernel[(rows,)](logits, total, weight.contiguous(), vocabulary, stride, BLOCK=block, num_warps=4)
    _add_targets_kernel[(rows,)](
        logits,
        targets.contiguous(),
        summed.contiguous(),
        first.to(torch.int8).contiguous(),
        stride,
        vertices,
        positions,
        BLOCK=triton.next_power_of_2(positions),
        num_warps=1,
    )
    return logits
