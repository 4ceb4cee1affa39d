"""Weights in eight bits: nearly what they were, small things exactly, and the same model with and without torch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from controldag.checkpoint import packaging_weights
from controldag.checkpoint.packaging_weights import to_eight_bits
from controldag.errors import InvalidInput
from controldag.model.definition.saving import load_model
from controldag.runtime.eight_bits import SCALE, narrowed, widened
from controldag.runtime.folder import load_tensors
from tests.unit.generation.tiny_checkpoint import make_checkpoint


def test_every_number_is_within_half_a_step_of_its_row() -> None:
    chance = np.random.default_rng(1)
    full = {
        "wide": (chance.standard_normal((70, 90)) * 10.0 ** chance.integers(-1, 3, (70, 1))).astype(np.float32),
        "zeros": np.zeros((70, 90), np.float32),
        "small": chance.standard_normal((4, 4)).astype(np.float32),
        "line": chance.standard_normal(9000).astype(np.float32),
    }
    stored = narrowed(full)
    assert {name for name, each in stored.items() if each.dtype == np.int8} == {"wide", "zeros"}
    found = widened(stored)
    assert found.keys() == full.keys()
    steps = np.abs(full["wide"]).max(1, keepdims=True) / 127
    assert (np.abs(found["wide"] - full["wide"]) <= 0.57 * steps).all()  # scales are rounded too
    assert not found["zeros"].any()
    for name in ("small", "line"):
        assert (found[name] == full[name].astype(np.float16)).all()


def test_a_tensor_that_is_called_a_scale_stays_where_it_is_none() -> None:
    given = {"norm.scale": np.ones(3, np.float32), "norm": np.ones((2, 3), np.float32)}
    assert widened(given).keys() == given.keys()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_checkpoint(tmp_path / "model", marks=4)


def test_torch_and_the_runtime_read_the_same_weights(folder: Path) -> None:
    before = load_model(folder).state_dict()
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    to_eight_bits(folder)
    (file,) = folder.glob("*.safetensors")
    assert file.stat().st_size < 0.7 * size and any(name.endswith(SCALE) for name in load_file(file))
    assert not load_model(folder).training
    after = load_model(folder).state_dict()
    options, tensors = load_tensors(folder)
    assert options.d_model == load_model(folder).config.d_model
    for name, value in after.items():
        assert torch.equal(torch.from_numpy(tensors.take(name, *value.shape)), value)
        assert (value - before[name]).abs().max() <= 0.02 * before[name].abs().max().clamp(min=1e-3)


def test_large_weights_are_in_several_files_each_with_its_scales(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {name: value.clone() for name, value in load_model(folder).state_dict().items()}
    monkeypatch.setattr(packaging_weights, "_SHARD", 20_000)
    to_eight_bits(folder)
    files = sorted(folder.glob("*.safetensors"))
    assert len(files) > 1 and json.loads((folder / "checksums.json").read_text()).keys() >= {f.name for f in files}
    for file in files:
        names = load_file(file).keys()
        assert all(name.removesuffix(SCALE) in names for name in names)
    assert load_model(folder).state_dict().keys() == whole.keys()


def test_a_folder_in_eight_bits_is_checked_like_any_other(folder: Path) -> None:
    to_eight_bits(folder)
    (file,) = folder.glob("*.safetensors")
    stored = load_file(file)
    lost = next(name for name in sorted(stored) if name.endswith(SCALE))
    save_file({name: each for name, each in stored.items() if name != lost}, file)
    with pytest.raises(InvalidInput, match="truncated or was changed"):
        load_model(folder)
    (folder / "checksums.json").write_text(json.dumps({}))
    with pytest.raises(InvalidInput, match="hold floating-point numbers"):
        load_model(folder)
