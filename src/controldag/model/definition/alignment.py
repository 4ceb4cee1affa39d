"""The best alignment of a target with a graph: the single most likely path (Viterbi), without gradients."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from controldag.model.definition.dag_loss import NEVER, Graphs, final_scores


class Alignment(NamedTuple):
    """The most likely path of each target and its log-probability."""

    vertices: Tensor  # [B, M] int64: vertex of each target position; −1 at padding
    scores: Tensor  # [B] float32; −inf where no path fits, and `vertices` means nothing there


@torch.no_grad()
def best_alignment(graphs: Graphs) -> Alignment:
    """The most likely path of each target. Of equal ones it takes the earliest vertices. Cost O(B·M·L²)."""
    emissions, links = graphs.emissions.float(), graphs.links.float()
    sizes, lengths = graphs.graph_sizes.long(), graphs.target_lengths.long()
    batch, positions, _ = emissions.shape
    scores = torch.full_like(emissions, NEVER)
    scores[:, 0, 0] = emissions[:, 0, 0]
    came_from = torch.zeros_like(emissions, dtype=torch.int64)
    for i in range(1, positions):
        best, came_from[:, i] = (scores[:, i - 1, :, None] + links).max(1)
        scores[:, i] = best + emissions[:, i]
    vertices = torch.full((batch, positions), -1, device=emissions.device)
    here = sizes - 1
    for i in range(positions - 1, -1, -1):
        inside = i < lengths
        vertices[:, i] = torch.where(inside, here, -1)
        previous = came_from[:, i].gather(1, here[:, None]).squeeze(1)
        here = torch.where(inside, previous, here)
    return Alignment(vertices, final_scores(scores, sizes, lengths))
