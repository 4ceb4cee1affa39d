"""The weights in a folder as arrays, each taken once, by name and shape."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from controldag.errors import DataError, InvalidInput

REMEDY = "Save the model again, or fetch it anew."
SPOILT = (
    *(OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, MemoryError),
    *(RecursionError, RuntimeError, SyntaxError, TokenError, zipfile.BadZipFile, zlib.error),
)
"""What numpy, zip and our own reading raise where a file is not what it was (NotImplementedError among them)."""
_LARGEST = 1 << 28
"""Bytes of all arrays of an npz file; those of the bundled models have two to three million."""
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


def read_arrays(path: str | Path, *, remedy: str = REMEDY) -> dict[str, Array]:
    """By name, every array in an npz file; DataError where it cannot be read, or is a bomb."""
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
        if size > _LARGEST:
            raise ValueError(f"{size:,} bytes once inflated, above {_LARGEST:,}")
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except SPOILT as error:
        raise DataError(f"cannot be read ({error}).", path=path, remedy=remedy) from error


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
