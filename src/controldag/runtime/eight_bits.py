"""Weights in eight bits a number with a scale a row: a quarter of float32, for bundled and packaged models."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from controldag.runtime.tensors import Array, Floats

SCALE = ".scale"
"""What stands behind the name of a tensor in eight bits to name its scales."""
# Smaller tensors stay as they are: they weigh nothing.
_SMALL = 4096
_LEAST = 6e-8  # the smallest scale that float16 can hold


def narrowed(tensors: Mapping[str, Floats]) -> dict[str, Array]:
    """Matrices in eight bits and their scales, everything else in float16."""
    found: dict[str, Array] = {}
    for name, full in tensors.items():
        if full.ndim == 2 and full.size >= _SMALL:
            scale = np.maximum(np.abs(full).max(1, keepdims=True) / 127, _LEAST).astype(np.float16)
            found[name] = np.clip(np.round(full / scale.astype(np.float32)), -127, 127).astype(np.int8)
            found[name + SCALE] = scale
        else:
            found[name] = full.astype(np.float16)
    return found


def widened(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Tensors with scales in float32, all others as they are; the opposite of `narrowed`."""
    return {
        name: np.asarray(array, np.float32) * np.asarray(tensors[name + SCALE], np.float32)
        if array.dtype == np.int8 and name + SCALE in tensors
        else array
        for name, array in tensors.items()
        if not _is_scale(name, tensors)
    }


def _is_scale(name: str, tensors: Mapping[str, Array]) -> bool:
    base = name.removesuffix(SCALE)
    return base != name and base in tensors and tensors[base].dtype == np.int8
