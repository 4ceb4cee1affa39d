"""Random graphs for the tests of the loss."""

from __future__ import annotations

import torch
from torch import Tensor

from controldag.model.definition.dag_loss import Graphs
from controldag.model.definition.links import allowed_links


def random_graphs(seed: int, *, batch: int, width: int, positions: int, scale: float = 3.0) -> Graphs:
    """Graphs and targets of random sizes within `width` and `positions`, each target fitting its graph; float64.

    A large `scale` makes probabilities underflow float32 when not kept as logarithms.
    """
    draw = torch.Generator().manual_seed(seed)
    sizes = torch.randint(2, width + 1, (batch,), generator=draw)
    sizes[0] = width
    lengths = torch.cat([torch.randint(2, 1 + min(positions, int(s)), (1,), generator=draw) for s in sizes])
    mask = torch.arange(width)[None] < sizes[:, None]
    scores = torch.randn(batch, width, width, generator=draw, dtype=torch.float64) * scale
    allowed = allowed_links(mask)
    links = torch.log_softmax(scores.masked_fill(~allowed, -1e9), -1).masked_fill(~allowed, float("-inf"))
    emissions = -torch.rand(batch, positions, width, generator=draw, dtype=torch.float64) * 4 * scale
    return Graphs(emissions, links, sizes, lengths)


def force(graphs: Graphs, vertices: Tensor, share: float, seed: int) -> Graphs:
    """The same graphs with emissions forced along `vertices` [B, M] (a path): 0 there, −inf for all else."""
    draw = torch.Generator().manual_seed(seed)
    inside = torch.arange(vertices.shape[1])[None] < graphs.target_lengths[:, None]
    example, position = ((torch.rand(vertices.shape, generator=draw) < share) & inside).nonzero(as_tuple=True)
    emissions = graphs.emissions.clone()
    emissions[example, :, vertices[example, position]] = float("-inf")
    emissions[example, position, vertices[example, position]] = 0.0
    return graphs._replace(emissions=emissions)


def cast(graphs: Graphs, dtype: torch.dtype) -> Graphs:
    """The same graphs in another floating-point type, as leaves that collect gradients."""
    return graphs._replace(
        emissions=graphs.emissions.to(dtype).detach().requires_grad_(),
        links=graphs.links.to(dtype).detach().requires_grad_(),
    )
