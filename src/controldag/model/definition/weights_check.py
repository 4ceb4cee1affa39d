"""Whether the weights on disk are those that a config asks for: every tensor, by name and shape, and no other."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import nn

from controldag.errors import InvalidInput
from controldag.runtime.eight_bits import SCALE
from controldag.runtime.tensors import REMEDY

Shapes = dict[str, tuple[int, ...]]
_FLOATS = ("F64", "F32", "F16", "BF16")
_EIGHT_BITS = "I8"


def check_weights(folder: Path, kind: type[nn.Module], config: object) -> None:
    """Raises InvalidInput where a tensor is missing, is of another shape, or belongs to no part of the model.

    A tensor that is missing would be made up at random; neither the model nor its weights take memory here.
    """
    with torch.device("meta"):
        wanted: Shapes = {name: tuple(value.shape) for name, value in kind(config).state_dict().items()}
    found = shapes_in(folder)
    for what, names in (("missing", wanted.keys() - found.keys()), ("of no use", found.keys() - wanted.keys())):
        if names:
            raise InvalidInput(
                f"the weights in {folder} do not fit its config: {_listed(names)} {what}.", remedy=REMEDY
            )
    for name, shape in wanted.items():
        if found[name] != shape:
            raise InvalidInput.of(name, f"have the shape {shape} that the config asks for", found[name], remedy=REMEDY)


def shapes_in(folder: Path) -> Shapes:
    """By name, the shape of every tensor in the safetensors of a folder; only their headers are read."""
    shapes: Shapes = {}
    scales: set[str] = set()
    for path in sorted(folder.glob("*.safetensors")):
        try:
            with safe_open(path, framework="pt") as file:
                names = frozenset(file.keys())
                for name in sorted(names):
                    stored = file.get_slice(name)
                    if stored.get_dtype() == _EIGHT_BITS and name + SCALE in names:
                        scales.add(name + SCALE)
                    elif stored.get_dtype() not in _FLOATS:
                        raise InvalidInput.of(name, "hold floating-point numbers", stored.get_dtype(), remedy=REMEDY)
                    shapes[name] = tuple(stored.get_shape())
        except (OSError, SafetensorError) as error:
            raise InvalidInput(f"the weights in {folder} cannot be read: {error}.", remedy=REMEDY) from error
    return {name: shape for name, shape in shapes.items() if name not in scales}


def has_scales(folder: Path) -> bool:
    """Whether matrices of the folder are in eight bits."""
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="pt") as file:
            if any(name.endswith(SCALE) for name in file.keys()):  # noqa: SIM118
                return True
    return False


def _listed(names: set[str]) -> str:
    few = ", ".join(sorted(names)[:3])
    return few if len(names) <= 3 else f"{few} and {len(names) - 3} more"
