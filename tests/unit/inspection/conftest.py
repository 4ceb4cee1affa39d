"""The tiny checkpoint of the tests of generation."""

from tests.unit.generation.conftest import folder, tiny

__all__ = ["folder", "tiny"]
