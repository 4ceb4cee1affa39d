"""The tiny checkpoint of the tests of generation."""

from tests.unit.generation.conftest import folder, pointing, tiny

__all__ = ["folder", "pointing", "tiny"]
