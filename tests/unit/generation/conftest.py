"""The tiny checkpoint, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.pipeline import ControlDag
from tests.unit.generation.tiny_checkpoint import make_checkpoint, make_twin


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny")


@pytest.fixture(scope="session")
def pointing(tmp_path_factory: pytest.TempPathFactory) -> ControlDag:
    """As `tiny`, with marks for two values."""
    return ControlDag.from_pretrained(make_checkpoint(tmp_path_factory.mktemp("checkpoints") / "pointing", marks=2))


@pytest.fixture(scope="session")
def tiny(folder: Path) -> ControlDag:
    return ControlDag.from_pretrained(folder)


@pytest.fixture(scope="session")
def twin_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An autoregressive twin of `folder`."""
    return make_twin(tmp_path_factory.mktemp("checkpoints") / "twin", folder)
