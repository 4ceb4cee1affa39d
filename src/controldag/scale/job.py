"""What a run over many lines is asked for, in plain values that can be sent to its workers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import controldag
from controldag.checkpoint.choice import ModelChoice
from controldag.errors import InvalidInput
from controldag.generation.request import Request
from controldag.generation.wishes import Wishes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJob:
    """source: the JSON lines, which errors call `shown`. out: where texts go. part: lines said, and kept, at a time.

    The rest is what `Request` takes, for lines that leave it out.
    """

    source: Path
    shown: str
    out: Path
    model: ModelChoice
    service: str = ""
    wishes: Wishes = field(default_factory=Wishes)
    length: str = ""
    n_best: int = 1
    decoder: str = ""
    trust: str = ""
    part: int = 1024

    def __post_init__(self) -> None:
        if self.part < 1:
            raise InvalidInput.of("part", "be at least 1", self.part)

    def defaults(self) -> Request:
        wanted = self.wishes.constraint()
        return Request((), self.service, wanted, self.length, self.n_best, self.decoder, trust=self.trust)

    def settings(self, source_sha256: str) -> dict[str, Any]:
        """All that the texts depend on."""
        model = {**asdict(self.model), "sha256": self.model.sha256()}
        return {
            "in": source_sha256,
            "model": {name: str(value) for name, value in model.items()},
            "service": self.service,
            "wishes": asdict(self.wishes),
            "length": self.length,
            "n_best": self.n_best,
            "decoder": self.decoder,
            "trust": self.trust,
            "part": self.part,
            "version": controldag.__version__,
        }
