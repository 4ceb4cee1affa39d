"""The tiny checkpoints of the package's own tests."""

from tests.unit.conftest import folder, pointing, tiny, twin_folder

__all__ = ["folder", "pointing", "tiny", "twin_folder"]
