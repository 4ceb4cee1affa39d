"""The weights in a folder as arrays, each taken once, by name and shape."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from controldag.errors import InvalidInput

REMEDY = "Save the model again, or fetch it anew."
Array = NDArray[Any]
Floats = NDArray[np.float32]


def read_tensors(folder: Path) -> dict[str, Array]:
    """By name, every tensor in the safetensors of a folder, as it is stored."""
    found: dict[str, Array] = {}
    for path in sorted(folder.glob("*.safetensors")):
        try:
            found |= load_file(path)
        except (OSError, SafetensorError, TypeError, KeyError) as error:
            raise InvalidInput(f"the weights in {folder} cannot be read: {error}.", remedy=REMEDY) from error
    return found


class Tensors:
    """Tensors by name. What makes a graph of them says with each the shape that the config asks for."""

    def __init__(self, tensors: Mapping[str, Array], folder: Path) -> None:
        self._tensors, self._folder = tensors, folder
        self._taken: set[str] = set()

    def take(self, name: str, *shape: int) -> Floats:
        """The tensor in float32; InvalidInput where there is none, or one of another shape."""
        if name not in self._tensors:
            raise self._unfit(f"{name} missing")
        found = self._tensors[name]
        if found.shape != shape:
            raise InvalidInput.of(name, f"have the shape {shape} that the config asks for", found.shape, remedy=REMEDY)
        if found.dtype.kind != "f":
            raise InvalidInput.of(name, "hold floating-point numbers", str(found.dtype), remedy=REMEDY)
        self._taken.add(name)
        return np.asarray(found, np.float32)

    def check_all_taken(self) -> None:
        """Raises InvalidInput where a tensor belongs to no part of the model."""
        rest = sorted(self._tensors.keys() - self._taken)
        if rest:
            more = f" and {len(rest) - 3} more" if len(rest) > 3 else ""
            raise self._unfit(f"{', '.join(rest[:3])}{more} of no use")

    def _unfit(self, what: str) -> InvalidInput:
        return InvalidInput(f"the weights in {self._folder} do not fit its config: {what}.", remedy=REMEDY)
