"""All paths of a target through a small graph, one by one: slow and obvious."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor


def paths(size: int, length: int) -> list[tuple[int, ...]]:
    """Every way to give `length` positions ascending vertices, from vertex 0 to vertex `size` − 1."""
    if length == 1:
        return [(0,)] if size == 1 else []
    return [(0, *middle, size - 1) for middle in itertools.combinations(range(1, size - 1), length - 2)]


def path_score(emissions: Tensor, links: Tensor, path: tuple[int, ...]) -> Tensor:
    """Log-probability of one path; `emissions` [M, L], `links` [L, L]."""
    score = emissions[0, path[0]]
    for i in range(1, len(path)):
        score = score + links[path[i - 1], path[i]] + emissions[i, path[i]]
    return score


def log_likelihood(emissions: Tensor, links: Tensor, size: int, length: int) -> Tensor:
    """log Σ over all paths, differentiable by autograd."""
    scores = [path_score(emissions, links, path) for path in paths(size, length)]
    return torch.logsumexp(torch.stack(scores), 0) if scores else torch.tensor(float("-inf"), dtype=emissions.dtype)


def best_path(emissions: Tensor, links: Tensor, size: int, length: int) -> tuple[tuple[int, ...], float]:
    """The most likely path and its log-probability."""
    return max(((p, float(path_score(emissions, links, p))) for p in paths(size, length)), key=lambda pair: pair[1])
