"""A tiny DA-T5 and batches for it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from controldag.model.definition.config import DAT5Config
from controldag.model.definition.da_t5 import DAT5ForGeneration


def tiny_config(**changes: Any) -> DAT5Config:
    """A config small enough for tests."""
    sizes: dict[str, Any] = {
        "vocab_size": 60,
        "d_model": 32,
        "d_kv": 8,
        "d_ff": 64,
        "num_layers": 2,
        "num_decoder_layers": 2,
        "num_heads": 4,
        "link_heads": 4,
        "bos_token_id": 3,
        "decoder_vocab_size": 0,
        "vertices_per_token": 3.0,
        "max_vertices": 60,
        "max_positions": 64,
        "copy_source": True,
        "tied_head": False,
    }
    return DAT5Config(**(sizes | changes))


def tiny_model(seed: int = 0, **changes: Any) -> DAT5ForGeneration:
    """A tiny model with fixed random weights, in evaluation mode."""
    torch.manual_seed(seed)
    return DAT5ForGeneration(tiny_config(**changes)).eval()


def random_batch(seed: int, lengths: list[int], target_lengths: list[int]) -> tuple[Tensor, Tensor]:
    """Sources [B, N] and targets [B, M] of random tokens, padded."""
    draw = torch.Generator().manual_seed(seed)
    sources = torch.randint(4, 60, (len(lengths), max(lengths)), generator=draw)
    targets = torch.randint(4, 60, (len(lengths), max(target_lengths)), generator=draw)
    targets[:, 0] = 3
    for row, (length, target_length) in enumerate(zip(lengths, target_lengths, strict=True)):
        sources[row, length - 1] = 1
        sources[row, length:] = 0
        targets[row, target_length - 1] = 1
        targets[row, target_length:] = 0
    return sources, targets
