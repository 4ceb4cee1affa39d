"""The verifiers that come with the package: one that generation asks, one that only measures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controldag.verifier.verifier import Verifier

GENERATION, METRIC = "verifier", "verifier-check"
FOLDER = Path(__file__).parent.parent / "pretrained"


@lru_cache(maxsize=4)
def bundled_verifier(name: str | Path = GENERATION) -> Verifier:
    """The bundled verifier of that name, or the one in a folder; loaded once."""
    from controldag.verifier.verifier import Verifier

    folder = FOLDER / name
    return Verifier.load(folder if folder.is_dir() else name)
