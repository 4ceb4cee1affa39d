"""A packaged model's weights in eight bits a number: half of float16, read back in float32."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from controldag.files import atomic_write, read_json, sha256_of, write_json
from controldag.runtime.eight_bits import SCALE, narrowed
from controldag.runtime.folder import CHECKSUMS
from controldag.runtime.tensors import Array, read_tensors

_INDEX = "model.safetensors.index.json"
_SHARD = 14_000_000  # bytes of a file: small enough for every transfer


def to_eight_bits(folder: Path) -> None:
    """Replaces the weights in a folder by files in eight bits, and its checksums."""
    tensors = {name: np.asarray(each, np.float32) for name, each in read_tensors(folder).items()}
    write_shards(folder, narrowed(tensors))


def write_shards(folder: Path, stored: Mapping[str, Array]) -> None:
    """Replaces the weights in a folder by these tensors, a tensor and its scales in one file, and its checksums."""
    shards: list[dict[str, Array]] = [{}]
    for name in (each for each in sorted(stored) if not each.endswith(SCALE)):
        both = {each: stored[each] for each in (name, name + SCALE) if each in stored}
        if shards[-1] and _size(shards[-1]) + _size(both) > _SHARD:
            shards.append({})
        shards[-1] |= both
    for path in [*folder.glob("*.safetensors"), folder / _INDEX]:
        path.unlink(missing_ok=True)
    names = [f"model-{number:05}-of-{len(shards):05}.safetensors" for number in range(1, len(shards) + 1)]
    for file_name, shard in zip(names, shards, strict=True):
        with atomic_write(folder / file_name) as file:
            file.write(save(shard))
        (folder / file_name).chmod(0o644)
    known = [name for name in read_json(folder / CHECKSUMS) if (folder / name).is_file()]
    write_json(folder / CHECKSUMS, {name: sha256_of(folder / name) for name in sorted({*known, *names})})


def _size(tensors: Mapping[str, Array]) -> int:
    return sum(each.nbytes for each in tensors.values())
