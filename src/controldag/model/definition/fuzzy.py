"""Fuzzy alignment (Ma et al., 2023): how many of the target's n-grams a graph says, over all its texts at once.

The likelihood of a target asks for its words at their places; this asks for its n-grams, wherever they stand. The text
of a graph is random, so its counts of n-grams have expectations, and those are sums over the graph's links:

    E[count of g₁…gₙ] = Σ over v₁ < … < vₙ of  P(v₁ is visited) · P(g₁ | v₁) · P(v₂ | v₁) · P(g₂ | v₂) ⋯

B examples, L vertices, M target positions.
"""

from __future__ import annotations

import torch
from torch import Tensor

from controldag.model.definition.dag_loss import Graphs


def visits(links: Tensor) -> Tensor:
    """P(vertex v is on a path): [B, L] from `links` [B, L, L], log-probabilities of v after u.

    The probabilities p solve p = start + Tᵀp, and T is strictly upper triangular: one triangular system.
    """
    batch, size, _ = links.shape
    one = torch.eye(size, dtype=links.dtype, device=links.device)
    start = torch.zeros(batch, size, 1, dtype=links.dtype, device=links.device)
    start[:, 0] = 1.0
    solved = torch.linalg.solve_triangular(one - links.exp().mT, start, upper=False, unitriangular=True)
    return solved.squeeze(2)


def expected_counts(graphs: Graphs, visited: Tensor, order: int) -> Tensor:
    """For each target position i, how often the graph says the `order` target tokens from i on: [B, M − order + 1]."""
    said = graphs.emissions.exp()
    after = graphs.links.exp()
    last = max(0, said.shape[1] - order + 1)
    mass = visited[:, None] * said[:, :last]  # [B, last, L]: … and the n-gram's first token is said at v
    for k in range(1, order):
        mass = (mass @ after) * said[:, k : last + k]
    return mass.sum(2)


def fuzzy_overlap(graphs: Graphs, targets: Tensor, order: int) -> Tensor:
    """Expected n-gram precision times brevity penalty, in [0, 1]: [B].

    `targets` [B, M] are the tokens whose log-probabilities `graphs.emissions` holds. An n-gram counts at most as often
    as the target has it. Targets with fewer than `order` tokens have overlap 0.
    """
    targets, lengths = targets.long(), graphs.target_lengths
    # Sums of small probabilities: not in bf16.
    with torch.autocast(graphs.links.device.type, enabled=False):
        visited = visits(graphs.links)
        counts = expected_counts(graphs, visited, order)
    places = torch.arange(counts.shape[1], device=targets.device)
    inside = places[None] + order <= lengths[:, None]  # [B, places]
    same = inside[:, :, None] & inside[:, None, :]
    for k in range(order):
        part = targets[:, k : k + counts.shape[1]]
        same &= part[:, :, None] == part[:, None, :]
    first = inside & ~same.tril(-1).any(2)  # of equal n-grams, the first one stands for all
    matched = torch.where(first, torch.minimum(counts, same.sum(2).to(counts.dtype)), 0.0).sum(1)
    tokens = visited.sum(1)
    # Every text has at least two tokens, its ends; a graph that says hardly more n-grams has a precision all the same.
    precision = matched / (tokens - order + 1).clamp_min(1.0)
    brevity = torch.exp(1.0 - (lengths / tokens).clamp_min(1.0))
    return precision * brevity


def miscount(graphs: Graphs, targets: Tensor, counted: Tensor) -> Tensor:
    """How far the graph is from saying tokens as often as the target does: mean |E[count] − count|, [B].

    `targets` [B, M] as for `fuzzy_overlap`; `counted` [B, M] says which of them count (value marks). 0 without any.
    """
    targets = targets.long()
    with torch.autocast(graphs.links.device.type, enabled=False):
        counts = expected_counts(graphs, visits(graphs.links), 1)  # [B, M]
    place = torch.arange(targets.shape[1], device=targets.device)
    counted = counted & (place[None] < graphs.target_lengths[:, None])
    same = counted[:, :, None] & counted[:, None, :] & (targets[:, :, None] == targets[:, None, :])
    first = counted & ~same.tril(-1).any(2)
    gaps = torch.where(first, (counts - same.sum(2)).abs(), 0.0)
    return gaps.sum(1) / first.sum(1).clamp_min(1)
