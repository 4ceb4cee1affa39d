"""Log-likelihood of a target under the graph, summed over all its paths (Control-DAG Eq. 1), in plain PyTorch.

B examples, L vertices, M target positions. A path gives each target position a vertex: the first position vertex 0,
the last one the graph's last vertex, each vertex later than the one before. Everything is kept as logarithms, so
nothing underflows; −inf means impossible. The backward pass is written by hand: the gradient of a log-likelihood is
the posterior, P(position i stands at vertex v | target) and P(the path goes u → v | target).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

NEVER = float("-inf")


class Graphs(NamedTuple):
    """A batch of graphs as the loss sees them, each with one target."""

    emissions: Tensor  # [B, M, L] log P(target token i | vertex v)
    links: Tensor  # [B, L, L] log P(v | u), −inf unless u < v
    graph_sizes: Tensor  # [B] vertices of each graph, at most L
    target_lengths: Tensor  # [B] positions of each target, at most M


def log_likelihood(graphs: Graphs) -> Tensor:
    """log P(target | graph), float32 (float64 for float64 inputs) [B]; −inf, with zero gradient, where no path fits."""
    result: Tensor = _LogLikelihood.apply(*graphs)
    return result


def forward_scores(graphs: Graphs) -> Tensor:
    """α: log-mass of all ways to have emitted positions 0..i with i at vertex v. [B, M, L]; cost O(B·M·L²)."""
    emissions, links = graphs.emissions, graphs.links
    scores = torch.full_like(emissions, NEVER)
    scores[:, 0, 0] = emissions[:, 0, 0]
    for i in range(1, emissions.shape[1]):
        arrived = torch.logsumexp(scores[:, i - 1, :, None] + links, 1)
        scores[:, i] = arrived + emissions[:, i]
    return scores


def backward_scores(graphs: Graphs) -> Tensor:
    """β: log-mass of all ways to emit positions i+1.. to the end from vertex v at position i. [B, M, L]."""
    emissions, links = graphs.emissions, graphs.links
    scores = torch.full_like(emissions, NEVER)
    start = torch.full_like(emissions[:, 0], NEVER).scatter_(1, (graphs.graph_sizes - 1)[:, None], 0.0)  # [B, L]
    for i in range(emissions.shape[1] - 1, -1, -1):
        ends_here = (graphs.target_lengths == i + 1)[:, None]
        if i + 1 < emissions.shape[1]:
            rest = torch.logsumexp(links + (emissions[:, i + 1] + scores[:, i + 1])[:, None, :], 2)
            scores[:, i] = torch.where(ends_here, start, rest)
        else:
            scores[:, i] = torch.where(ends_here, start, torch.full_like(start, NEVER))
    return scores


def final_scores(forward: Tensor, graph_sizes: Tensor, target_lengths: Tensor) -> Tensor:
    """α at the last position of each target and the last vertex of each graph: [B]."""
    rows = torch.arange(forward.shape[0], device=forward.device)
    return forward[rows, target_lengths - 1, graph_sizes - 1]


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, emissions: Tensor, links: Tensor, graph_sizes: Tensor, target_lengths: Tensor) -> Tensor:
        wide = torch.float64 if emissions.dtype == torch.float64 else torch.float32
        graphs = Graphs(emissions.to(wide), links.to(wide), graph_sizes.long(), target_lengths.long())
        forward = forward_scores(graphs)
        total = final_scores(forward, graphs.graph_sizes, graphs.target_lengths)
        ctx.save_for_backward(*graphs, forward, total)
        ctx.dtypes = emissions.dtype, links.dtype
        return total

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor, None, None]:
        emissions, links, graph_sizes, target_lengths, forward, total = ctx.saved_tensors
        graphs = Graphs(emissions, links, graph_sizes, target_lengths)
        backward = backward_scores(graphs)
        # Where no path fits, every α + β is −inf: subtracting 0 instead of −inf leaves all posteriors 0.
        total = torch.where(total.isfinite(), total, torch.zeros_like(total))
        weight = upstream[0]
        at_vertex = torch.exp(forward + backward - total[:, None, None]) * weight[:, None, None]
        on_link = torch.zeros_like(links)
        for i in range(1, emissions.shape[1]):
            after = emissions[:, i] + backward[:, i] - total[:, None]  # [B, L]
            on_link += torch.exp(forward[:, i - 1, :, None] + links + after[:, None, :])
        on_link *= weight[:, None, None]
        return at_vertex.to(ctx.dtypes[0]), on_link.to(ctx.dtypes[1]), None, None
