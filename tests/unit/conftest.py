"""Tiny checkpoints, made once. What makes them is imported when asked for: many tests need no model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from controldag.pipeline import ControlDag


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.unit.generation.tiny_checkpoint import make_checkpoint

    return make_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny")


@pytest.fixture(scope="session")
def pointing(tmp_path_factory: pytest.TempPathFactory) -> ControlDag:
    """As `tiny`, with marks for two values."""
    from controldag.pipeline import ControlDag
    from tests.unit.generation.tiny_checkpoint import make_checkpoint

    return ControlDag.from_pretrained(make_checkpoint(tmp_path_factory.mktemp("checkpoints") / "pointing", marks=2))


@pytest.fixture(scope="session")
def tiny(folder: Path) -> ControlDag:
    from controldag.pipeline import ControlDag

    return ControlDag.from_pretrained(folder)


@pytest.fixture(scope="session")
def twin_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An autoregressive twin of `folder`."""
    from tests.unit.generation.tiny_checkpoint import make_twin

    return make_twin(tmp_path_factory.mktemp("checkpoints") / "twin", folder)
