"""Glancing training (Qian et al., 2021; DA-Transformer): show part of the target along the best alignment."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from controldag.model.definition.alignment import Alignment

# Stands for “no token is revealed here”.
NONE = -1


class Glance(NamedTuple):
    """What is revealed, and how good the first pass was."""

    tokens: Tensor  # [B, L] int64: the token revealed at each vertex, NONE elsewhere
    wrong: Tensor  # [B] positions of the best alignment whose vertex prefers another token
    revealed: Tensor  # [B] positions revealed


@torch.no_grad()
def choose_glance(
    alignment: Alignment, chosen: Tensor, best: Tensor, targets: Tensor, target_lengths: Tensor, rate: Tensor
) -> Glance:
    """Tokens to reveal: of each target, round(rate · wrong) positions drawn evenly, at their aligned vertices.

    `chosen` [B, M, L] and `best` [B, L] are the first pass's `TokenScores`; `rate` is a scalar tensor. The number is
    drawn by chance around rate · wrong (its fraction decides up or down), so that short targets are not left out.
    """
    batch, width = best.shape
    device = best.device
    inside = torch.arange(targets.shape[1], device=device)[None] < target_lengths[:, None]
    vertices = alignment.vertices.clamp_min(0)
    own = chosen.gather(2, vertices[:, :, None]).squeeze(2)  # [B, M]
    right = own >= best.gather(1, vertices)
    wrong = (inside & ~right).sum(1)
    wanted = wrong * rate
    count = (wanted + torch.rand(batch, device=device)).floor().clamp_max(target_lengths)
    # The `count` positions of lowest random key are an even draw without replacement.
    keys = torch.rand(targets.shape, device=device).masked_fill(~inside, 2.0)
    rank = keys.argsort(1).argsort(1)
    picked = inside & (rank < count[:, None]) & alignment.scores.isfinite()[:, None]
    # Positions not picked are written to a column of their own, which is cut off.
    place = torch.where(picked, vertices, width)
    tokens = torch.full((batch, width + 1), NONE, device=device)
    tokens.scatter_(1, place, targets.long())
    return Glance(tokens[:, :width], wrong, picked.sum(1))


def force_emissions(chosen: Tensor, revealed: Tensor, targets: Tensor) -> Tensor:
    """`chosen` [B, M, L] with probability 1 for the revealed token of a vertex and 0 for every other."""
    shown = (revealed != NONE)[:, None, :]
    same = revealed[:, None, :] == targets[:, :, None]
    forced = torch.zeros_like(chosen).masked_fill(~same, float("-inf"))
    return torch.where(shown, forced, chosen)
