"""The forward and backward recursions and the best alignment as Triton kernels: one program an example.

The same functions as `dag_loss.log_likelihood` and `alignment.best_alignment`, in the log domain, float32. The links
[B, L, L] of one example stay in the L2 cache while its program walks over the target positions.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from controldag.model.definition.alignment import Alignment
from controldag.model.definition.dag_loss import Graphs, final_scores

# Below every score, and finite: what a running log-sum-exp begins with.
_LOWEST = tl.constexpr(-1e30)


@triton.jit
def _add_exp(highest, mass, x):  # type: ignore[no-untyped-def]
    """One more term of a running log-sum-exp, number by number: mass·exp(highest) + exp(x), with a single exp."""
    part = tl.exp(-tl.abs(x - highest))  # x = −inf gives 0, since `highest` is finite
    return tl.maximum(highest, x), tl.where(x > highest, mass * part + 1.0, mass + part)


@triton.jit
def _log_sum(highest, mass):  # type: ignore[no-untyped-def]
    """The log-sum-exp of each column of running ones; −inf where nothing was added."""
    peak = tl.max(highest, 0)
    return peak + tl.log(tl.sum(mass * tl.exp(highest - peak[None, :]), 0))


# Position i of a target of n tokens stands, in a graph of s vertices, at one of i … s − n + i: earlier ones cannot be
# reached, from later ones the end cannot. The kernels read no other vertex.


@triton.jit
def _forward_kernel(  # type: ignore[no-untyped-def]
    emissions,
    links,
    forward,
    graph_sizes,
    target_lengths,
    positions,
    width,
    COLUMNS: tl.constexpr,  # noqa: N803
    ROWS: tl.constexpr,  # noqa: N803
):
    example = tl.program_id(0).to(tl.int64)
    size = tl.load(graph_sizes + example)
    length = tl.load(target_lengths + example)
    column = tl.arange(0, COLUMNS)
    inside = column < size
    here = example * positions * width
    first = tl.load(emissions + here + column, mask=column == 0, other=float("-inf"))
    tl.store(forward + here + column, first, mask=column < width)
    for i in range(1, length):
        tl.debug_barrier()
        before = here
        here += width
        highest = tl.full((ROWS, COLUMNS), _LOWEST, tl.float32)
        mass = tl.zeros((ROWS, COLUMNS), tl.float32)
        for start in range((i - 1) // ROWS * ROWS, size - length + i, ROWS):
            row = start + tl.arange(0, ROWS)
            score = tl.load(forward + before + row, mask=row < size, other=float("-inf"))
            spot = links + (example * width + row[:, None]) * width + column[None, :]
            tile = tl.load(spot, mask=(row[:, None] < column[None, :]) & inside[None, :], other=float("-inf"))
            highest, mass = _add_exp(highest, mass, tile + score[:, None])
        emitted = tl.load(emissions + here + column, mask=inside, other=float("-inf"))
        tl.store(forward + here + column, _log_sum(highest, mass) + emitted, mask=column < width)


@triton.jit
def _backward_kernel(  # type: ignore[no-untyped-def]
    emissions,
    into,
    backward,
    graph_sizes,
    target_lengths,
    positions,
    width,
    COLUMNS: tl.constexpr,  # noqa: N803
    ROWS: tl.constexpr,  # noqa: N803
):
    """`into` are the links the other way round, [B, to, from]: a row is where a link ends, a column where it begins."""
    example = tl.program_id(0).to(tl.int64)
    size = tl.load(graph_sizes + example)
    length = tl.load(target_lengths + example)
    column = tl.arange(0, COLUMNS)
    inside = column < size
    here = (example * positions + length - 1) * width
    tl.store(backward + here + column, tl.where(column == size - 1, 0.0, float("-inf")), mask=column < width)
    for back in range(1, length):
        tl.debug_barrier()
        i = length - back  # from position i to the one before it
        after = here
        here -= width
        highest = tl.full((ROWS, COLUMNS), _LOWEST, tl.float32)
        mass = tl.zeros((ROWS, COLUMNS), tl.float32)
        for start in range(i // ROWS * ROWS, size - back + 1, ROWS):
            row = start + tl.arange(0, ROWS)
            real = row < size
            score = tl.load(emissions + after + row, mask=real, other=float("-inf"))
            score += tl.load(backward + after + row, mask=real, other=float("-inf"))
            spot = into + (example * width + row[:, None]) * width + column[None, :]
            tile = tl.load(spot, mask=(column[None, :] < row[:, None]) & real[:, None], other=float("-inf"))
            highest, mass = _add_exp(highest, mass, tile + score[:, None])
        score = tl.where(inside, _log_sum(highest, mass), float("-inf"))
        tl.store(backward + here + column, score, mask=column < width)


@triton.jit
def _link_posterior_kernel(  # type: ignore[no-untyped-def]
    emissions,
    links,
    forward,
    backward,
    total,
    weight,
    gradient,
    graph_sizes,
    target_lengths,
    positions,
    width,
    SIDE: tl.constexpr,  # noqa: N803
):
    example = tl.program_id(0).to(tl.int64)
    row = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    column = tl.program_id(2) * SIDE + tl.arange(0, SIDE)
    size = tl.load(graph_sizes + example)
    length = tl.load(target_lengths + example)
    spot = (example * width + row[:, None]) * width + column[None, :]
    stored = (row[:, None] < width) & (column[None, :] < width)
    mass = tl.zeros((SIDE, SIDE), tl.float32)
    if (tl.program_id(1) <= tl.program_id(2)) & (tl.program_id(2) * SIDE < size):
        real = (row[:, None] < column[None, :]) & (column[None, :] < size)
        tile = tl.load(links + spot, mask=real, other=float("-inf")) - tl.load(total + example)
        # Positions whose links can leave these rows and arrive in these columns.
        first = tl.maximum(1, tl.program_id(2) * SIDE - size + length)
        last = tl.minimum(length, tl.program_id(1) * SIDE + SIDE + 1)
        here = (example * positions + first - 1) * width
        for _ in range(first, last):
            before = tl.load(forward + here + row, mask=row < size, other=float("-inf"))
            here += width
            emitted = tl.load(emissions + here + column, mask=column < size, other=float("-inf"))
            after = emitted + tl.load(backward + here + column, mask=column < size, other=float("-inf"))
            mass += tl.exp(tile + before[:, None] + after[None, :])
        mass *= tl.load(weight + example)
    tl.store(gradient + spot, mass, mask=stored)


@triton.jit
def _alignment_kernel(  # type: ignore[no-untyped-def]
    emissions,
    links,
    scores,
    came_from,
    path,
    graph_sizes,
    target_lengths,
    positions,
    width,
    COLUMNS: tl.constexpr,  # noqa: N803
    ROWS: tl.constexpr,  # noqa: N803
):
    example = tl.program_id(0).to(tl.int64)
    size = tl.load(graph_sizes + example)
    length = tl.load(target_lengths + example)
    column = tl.arange(0, COLUMNS)
    inside = column < size
    here = example * positions * width
    first = tl.load(emissions + here + column, mask=column == 0, other=float("-inf"))
    tl.store(scores + here + column, first, mask=column < width)
    for i in range(1, length):
        tl.debug_barrier()
        before = here
        here += width
        best = tl.full((ROWS, COLUMNS), float("-inf"), tl.float32)
        origin = tl.zeros((ROWS, COLUMNS), tl.int32)
        for start in range((i - 1) // ROWS * ROWS, size - length + i, ROWS):
            row = start + tl.arange(0, ROWS)
            score = tl.load(scores + before + row, mask=row < size, other=float("-inf"))
            spot = links + (example * width + row[:, None]) * width + column[None, :]
            tile = tl.load(spot, mask=(row[:, None] < column[None, :]) & inside[None, :], other=float("-inf"))
            x = tile + score[:, None]
            origin = tl.where(x > best, row[:, None], origin)
            best = tl.maximum(best, x)
        highest = tl.max(best, 0)
        # Of equal ones the earliest vertex.
        source = tl.min(tl.where(best == highest[None, :], origin, width), 0)
        emitted = tl.load(emissions + here + column, mask=inside, other=float("-inf"))
        tl.store(scores + here + column, highest + emitted, mask=column < width)
        tl.store(came_from + here + column, source, mask=column < width)
    tl.debug_barrier()
    vertex = size - 1
    for back in range(length):
        i = length - 1 - back
        tl.store(path + example * positions + i, vertex)
        if i > 0:
            vertex = tl.load(came_from + (example * positions + i) * width + vertex)


def _tiles(width: int) -> dict[str, int]:
    """Tile sizes for graphs of `width` vertices, the fastest of those tried on an H200 (docs/training.md).

    One stage: no load may be moved before the barrier that makes the last position's scores visible.
    """
    columns = max(16, triton.next_power_of_2(width))
    if columns <= 64:
        rows, warps = min(32, columns), 4
    elif columns <= 1024:
        rows, warps = 16, columns // 64 if columns <= 256 else 16
    else:
        rows, warps = 8, 16
    return {"COLUMNS": columns, "ROWS": rows, "num_warps": warps, "num_stages": 1}


def _ready(graphs: Graphs) -> Graphs:
    """The same graphs as the kernels take them: contiguous, float32 scores and int32 sizes."""
    return Graphs(
        graphs.emissions.float().contiguous(),
        graphs.links.float().contiguous(),
        graphs.graph_sizes.to(torch.int32).contiguous(),
        graphs.target_lengths.to(torch.int32).contiguous(),
    )


def log_likelihood(graphs: Graphs) -> Tensor:
    """log P(target | graph), float32 [B]; −inf, with zero gradient, where no path fits."""
    result: Tensor = _LogLikelihood.apply(*graphs)
    return result


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, emissions: Tensor, links: Tensor, graph_sizes: Tensor, target_lengths: Tensor) -> Tensor:
        graphs = _ready(Graphs(emissions, links, graph_sizes, target_lengths))
        batch, positions, width = emissions.shape
        forward = torch.full_like(graphs.emissions, float("-inf"))
        _forward_kernel[(batch,)](
            graphs.emissions,
            graphs.links,
            forward,
            graphs.graph_sizes,
            graphs.target_lengths,
            positions,
            width,
            **_tiles(width),
        )
        total = final_scores(forward, graphs.graph_sizes.long(), graphs.target_lengths.long())
        ctx.save_for_backward(*graphs, forward, total)
        ctx.dtypes = emissions.dtype, links.dtype
        return total

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor, None, None]:
        emissions, links, graph_sizes, target_lengths, forward, total = ctx.saved_tensors
        batch, positions, width = emissions.shape
        total = torch.where(total.isfinite(), total, torch.zeros_like(total))
        backward = torch.full_like(forward, float("-inf"))
        sizes = (graph_sizes, target_lengths, positions, width)
        into = links.transpose(1, 2).contiguous()
        _backward_kernel[(batch,)](emissions, into, backward, *sizes, **_tiles(width))
        weight = upstream[0].float().contiguous()
        at_vertex = torch.exp(forward + backward - total[:, None, None]) * weight[:, None, None]
        on_link = torch.empty_like(links)
        side = 32
        tiles = triton.cdiv(width, side)
        _link_posterior_kernel[(batch, tiles, tiles)](
            emissions, links, forward, backward, total, weight, on_link, *sizes, SIDE=side, num_warps=4
        )
        return at_vertex.to(ctx.dtypes[0]), on_link.to(ctx.dtypes[1]), None, None


@torch.no_grad()
def best_alignment(graphs: Graphs) -> Alignment:
    """The most likely path of each target. Of equal ones it takes the earliest vertices."""
    ready = _ready(graphs)
    batch, positions, width = ready.emissions.shape
    scores = torch.full_like(ready.emissions, float("-inf"))
    came_from = torch.empty(scores.shape, dtype=torch.int32, device=scores.device)
    path = torch.full((batch, positions), -1, dtype=torch.int32, device=scores.device)
    _alignment_kernel[(batch,)](
        ready.emissions,
        ready.links,
        scores,
        came_from,
        path,
        ready.graph_sizes,
        ready.target_lengths,
        positions,
        width,
        **_tiles(width),
    )
    total = final_scores(scores, ready.graph_sizes.long(), ready.target_lengths.long())
    return Alignment(path.long(), total)
