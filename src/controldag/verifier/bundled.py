"""The verifiers that come with the package: one that generation asks, one that only measures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from controldag.files import sha256_of

if TYPE_CHECKING:
    from controldag.verifier.verifier import Verifier

GENERATION, METRIC = "verifier", "verifier-check"
FOLDER = Path(__file__).parent.parent / "pretrained"


@lru_cache(maxsize=4)
def bundled_verifier(name: str | Path = GENERATION) -> Verifier:
    """The bundled verifier of that name, or the one in a folder; loaded once."""
    from controldag.verifier.verifier import Verifier

    return Verifier.load(_folder(name))


def checksum(name: str | Path) -> str:
    """The SHA-256 of that verifier's weights."""
    return sha256_of(_folder(name) / "model.safetensors")


def _folder(name: str | Path) -> Path:
    bundled = FOLDER / name
    return bundled if bundled.is_dir() else Path(name)
