"""A tiny training run on the toy task, in a process of its own where a test kills it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

TINY: dict[str, Any] = {
    "name": "tiny",
    "model": {
        "d_model": 16,
        "d_kv": 8,
        "d_ff": 32,
        "num_layers": 1,
        "num_decoder_layers": 1,
        "num_heads": 2,
        "link_heads": 2,
        "decoder_vocab_size": 0,
        "tied_head": False,
        "copy_source": True,
        "vertices_per_token": 1.5,
        "min_vertices": 16,
        "max_vertices": 64,
        "max_positions": 64,
    },
    "data": {"dataset": "toy", "lineariser": "naive", "vocabulary": 380},
    "batch": {"tokens": 1000, "step": 8, "least_share": 0.1},
    "optimiser": {"learning_rate": 3.0e-3, "warmup_steps": 5, "ema": 0.9},
    "steps": 24,
    "precision": "float32",
    "log_every": 1,
    "validation_examples": 10,
    "viterbi_betas": [1.0],
}


def tiny_yaml(folder: Path, **changes: Any) -> Path:
    """A config file for a run of a few seconds."""
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY | changes), "utf-8")
    return path
