"""Checkpoints without pickle that a kill in the middle of a save cannot hurt.

`runs/NAME/checkpoints/step-00001234/` holds safetensors files and `state.json` with their checksums. It is written
under another name, flushed, and renamed; older ones are removed only afterwards. Reading takes the newest whole one.
"""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from controldag.errors import InvalidInput
from controldag.files import read_json, sha256_of, write_json
from controldag.runtime.tensors import SPOILT

_NAME = re.compile(r"step-(\d{8})")
_KEPT = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands. Every random draw follows from seed and step, so this is all there is to say."""

    step: int = 0
    seconds: float = 0.0  # of training so far


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint that was read."""

    progress: Progress
    options: dict[str, Any]
    tensors: dict[str, dict[str, Tensor]]  # weights, averaged, optimiser: name → tensor


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> Path:
    """Writes a checkpoint into `folder` and removes all but the newest few; returns where it is."""
    final = folder / f"step-{checkpoint.progress.step:08d}"
    temporary = folder / f".{final.name}.{os.getpid()}.tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    try:
        checksums = {}
        for part, tensors in checkpoint.tensors.items():
            path = temporary / f"{part}.safetensors"
            save_file({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, path)
            _flush(path)
            checksums[path.name] = sha256_of(path)
        state = {"progress": asdict(checkpoint.progress), "options": checkpoint.options, "sha256": checksums}
        write_json(temporary / "state.json", state)
        if final.exists():
            shutil.rmtree(final)
        temporary.rename(final)
        _flush(folder)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if isinstance(error, SafetensorError | OSError):
            raise InvalidInput(
                f"the checkpoint {final} could not be written: {error}.",
                remedy="Free some disk space; the last good checkpoint is untouched.",
            ) from error
        raise
    _remove_old(folder)
    return final


def load_checkpoint(folder: Path) -> Checkpoint | None:
    """The newest whole checkpoint in `folder`, or None where there is none."""
    problems = []
    for path in sorted(_checkpoints(folder), reverse=True):
        try:
            return _read(path)
        except (*SPOILT, SafetensorError) as error:
            problems.append(f"{path.name}: {error}")
    if problems:
        raise InvalidInput(
            f"no checkpoint in {folder} can be read ({'; '.join(problems)}).",
            remedy="Remove the folder to start afresh.",
        )
    return None


def _read(path: Path) -> Checkpoint:
    state = read_json(path / "state.json")
    tensors = {}
    for name, wanted in state["sha256"].items():
        if sha256_of(path / name) != wanted:
            raise ValueError(f"{name} is damaged")
        tensors[Path(name).stem] = load_file(path / name)
    progress = Progress(**state["progress"])
    if not isinstance(progress.step, int) or progress.step < 0 or not math.isfinite(progress.seconds):
        raise ValueError(f"there is no such progress: {progress}")
    if not isinstance(state["options"], dict):
        raise TypeError("its options are none")
    return Checkpoint(progress, state["options"], tensors)


def put_back(parameters: Mapping[str, Tensor], stored: Mapping[str, Tensor]) -> None:
    """Copies stored tensors into those of the same names; ValueError where they are not the same and of one shape."""
    shapes, wanted = ({name: each.shape for name, each in all_.items()} for all_ in (stored, parameters))
    if shapes != wanted:
        raise ValueError("its weights are those of another model")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(stored[name])


def optimiser_tensors(optimiser: torch.optim.Optimizer, names: list[str]) -> dict[str, Tensor]:
    """AdamW's state as tensors by parameter name; `names` are those of the optimiser's parameters, in order."""
    result = {}
    for index, values in optimiser.state_dict()["state"].items():
        for key, value in values.items():
            result[f"{names[index]}:{key}"] = value if isinstance(value, Tensor) else torch.tensor(float(value))
    return result


def restore_optimiser(optimiser: torch.optim.Optimizer, names: list[str], tensors: dict[str, Tensor]) -> None:
    """Puts back what `optimiser_tensors` took."""
    state: dict[int, dict[str, Tensor]] = {}
    places = {name: index for index, name in enumerate(names)}
    for key, value in tensors.items():
        name, _, part = key.rpartition(":")
        state.setdefault(places[name], {})[part] = value
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})


def _checkpoints(folder: Path) -> list[Path]:
    return [path for path in folder.glob("step-*") if _NAME.fullmatch(path.name)] if folder.is_dir() else []


def _remove_old(folder: Path) -> None:
    for path in sorted(_checkpoints(folder), reverse=True)[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
    for path in folder.glob(".step-*.tmp"):
        shutil.rmtree(path, ignore_errors=True)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
