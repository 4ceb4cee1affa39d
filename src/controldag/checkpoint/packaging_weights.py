"""A packaged model's weights in eight bits a number: half of float16, read back in float32."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save

from controldag.files import atomic_write, read_json, sha256_of, write_json
from controldag.runtime.eight_bits import narrowed
from controldag.runtime.folder import CHECKSUMS
from controldag.runtime.tensors import read_tensors

_WEIGHTS, _INDEX = "model.safetensors", "model.safetensors.index.json"


def to_eight_bits(folder: Path) -> None:
    """Replaces the weights in a folder by one file in eight bits, and its checksums."""
    tensors = {name: np.asarray(each, np.float32) for name, each in read_tensors(folder).items()}
    for path in [*folder.glob("*.safetensors"), folder / _INDEX]:
        path.unlink(missing_ok=True)
    with atomic_write(folder / _WEIGHTS) as file:
        file.write(save(narrowed(tensors)))
    (folder / _WEIGHTS).chmod(0o644)
    known = [name for name in read_json(folder / CHECKSUMS) if (folder / name).is_file()]
    write_json(folder / CHECKSUMS, {name: sha256_of(folder / name) for name in sorted({*known, _WEIGHTS})})
