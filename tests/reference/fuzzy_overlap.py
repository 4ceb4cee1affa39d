"""Expected n-gram overlap of a small graph with a target, by going through all its paths: slow and obvious."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import torch
from torch import Tensor


def all_paths(size: int) -> Iterator[tuple[int, ...]]:
    """Every way from vertex 0 to vertex `size` − 1."""
    middle = range(1, size - 1)
    for count in range(len(middle) + 1):
        for chosen in itertools.combinations(middle, count):
            yield (0, *chosen, size - 1)


def fuzzy_overlap(tokens: Tensor, links: Tensor, size: int, target: list[int], order: int) -> Tensor:
    """`tokens` [L, V] and `links` [L, L] are probabilities."""
    wanted = Counter(tuple(target[i : i + order]) for i in range(len(target) - order + 1))
    counts = {gram: torch.zeros((), dtype=tokens.dtype) for gram in wanted}
    length = torch.zeros((), dtype=tokens.dtype)
    for path in all_paths(size):
        chance = torch.ones((), dtype=tokens.dtype)
        for u, v in itertools.pairwise(path):
            chance = chance * links[u, v]
        length = length + chance * len(path)
        for start in range(len(path) - order + 1):
            for gram in wanted:
                said = chance
                for vertex, token in zip(path[start:], gram, strict=False):
                    said = said * tokens[vertex, token]
                counts[gram] = counts[gram] + said
    matched = sum((torch.clamp(counts[gram], max=wanted[gram]) for gram in wanted), torch.zeros((), dtype=tokens.dtype))
    precision = matched / torch.clamp(length - order + 1, min=1.0)
    return precision * torch.exp(1 - len(target) / length) if float(length.detach()) < len(target) else precision


def expected_count(tokens: Tensor, links: Tensor, size: int, token: int) -> Tensor:
    """How often a text of the graph says `token`, on average over all paths."""
    total = torch.zeros((), dtype=tokens.dtype)
    for path in all_paths(size):
        chance = torch.ones((), dtype=tokens.dtype)
        for u, v in itertools.pairwise(path):
            chance = chance * links[u, v]
        total = total + chance * sum(tokens[vertex, token] for vertex in path)
    return total
