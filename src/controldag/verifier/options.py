"""Sizes of the verifier's network."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

# Words farther apart than this are all alike far.
FARTHEST = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions:
    """Sizes. vocabulary: words with an embedding of their own. buckets: runs of letters, shared by hashing."""

    vocabulary: int
    buckets: int = 5000
    embedding: int = 128
    width: int = 256
    heads: int = 8
    inner: int = 512
    layers: int = 4
    judges: int = 2
    act_names: int = 64
    longest: int = 128
    dropout: float = 0.1

    def as_dict(self) -> dict[str, Any]:
        """By name, for a file."""
        return asdict(self)
