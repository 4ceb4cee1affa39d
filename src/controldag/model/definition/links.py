"""Transitions between the vertices of the graph: a gated mixture of attention heads (DA-Transformer, Eq. 3)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from controldag.model.definition.config import DAT5Config

# Stands for minus infinity where a gradient has to pass: far below any score, and finite.
_FAR = -1e5


class Links(nn.Module):
    """Log-probabilities of going from vertex u to vertex v > u: float32 [B, L, L].

    Each head is a softmax over the later vertices of the query–key product of [feature; position]; a gate mixes the
    heads' probabilities. −inf on and below the diagonal, to and from padding, and from the last vertex.
    """

    def __init__(self, config: DAT5Config) -> None:
        super().__init__()
        width = config.d_model
        self.heads = config.link_heads
        self.positions = nn.Embedding(config.max_positions, width)
        self.query = nn.Linear(2 * width, width)
        self.key = nn.Linear(2 * width, width)
        self.gate = nn.Linear(2 * width, self.heads)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """`features` [B, L, C], `mask` [B, L] true at the vertices that exist."""
        positions = self.positions.weight[: features.shape[1]].to(features.dtype).expand_as(features)
        joint = torch.cat([features, positions], -1)
        query = self.query(joint).unflatten(-1, (self.heads, -1)).transpose(1, 2)  # [B, heads, L, C/heads]
        key = self.key(joint).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = (query @ key.transpose(-1, -2)).float() * query.shape[-1] ** -0.5
        gates = torch.log_softmax(self.gate(joint).float(), -1).transpose(1, 2)  # [B, heads, L]
        allowed = allowed_links(mask)
        return mix_heads(scores, gates, allowed)


def allowed_links(mask: Tensor) -> Tensor:
    """True where a transition u → v may stand: u < v, both real vertices. [B, L, L] from `mask` [B, L]."""
    place = torch.arange(mask.shape[1], device=mask.device)
    return (place[:, None] < place[None, :]) & mask[:, :, None] & mask[:, None, :]


def mix_heads(scores: Tensor, gates: Tensor, allowed: Tensor) -> Tensor:
    """log Σ_h gate_h · softmax_h over the allowed vertices: [B, L, L] from scores [B, h, L, L], gates [B, h, L]."""
    hidden = ~allowed
    heads = torch.log_softmax(scores.masked_fill(hidden[:, None], _FAR), -1)
    mixed = torch.logsumexp(heads + gates[..., None], 1)
    return mixed.masked_fill(hidden, float("-inf"))
