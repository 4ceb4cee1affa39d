"""Sizes of the verifier's network."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from controldag.errors import InvalidInput

# Words farther apart than this are all alike far.
FARTHEST = 16
# Far more than any verifier has: what is larger is found out before it is laid out.
_LARGEST, _MOST_LAYERS = 1 << 20, 64


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

    def check(self) -> None:
        """Raises `InvalidInput` where a size is none that a network has."""
        for name, value in self.as_dict().items():
            if name == "dropout":
                continue
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _LARGEST:
                raise InvalidInput.of(name, f"be an integer of at least 1 and at most {_LARGEST:,}", value)
        if max(self.layers, self.judges) > _MOST_LAYERS:
            raise InvalidInput.of("layers, judges", f"be at most {_MOST_LAYERS}", (self.layers, self.judges))
        if self.width % self.heads:
            raise InvalidInput.of("heads", f"divide the width ({self.width})", self.heads)
