"""Models on disk: they come back as they were, and whatever is wrong with the files is one clear error."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModel

from controldag.errors import InvalidInput
from controldag.model.definition.saving import load_model, register_auto_classes, save_model
from controldag.runtime.da_t5 import dag_model
from controldag.runtime.folder import load_tensors
from tests.unit.model.tiny import random_batch, tiny_model

Load = Callable[..., object]


def load_without_torch(folder: Path, *, tokenizer: bytes | None = None) -> object:
    return dag_model(*load_tensors(folder, tokenizer=tokenizer), "float32")


@pytest.fixture(params=[load_model, load_without_torch])
def load(request: pytest.FixtureRequest) -> Load:
    """Both ways to open a folder refuse the same things."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_model(tiny_model(), tmp_path / "model", b"a tokenizer")
    return tmp_path / "model"


def test_a_model_comes_back_as_it_was(folder: Path) -> None:
    sources, _ = random_batch(1, [5, 3], [4, 4])
    ours, theirs = tiny_model(), load_model(folder)
    with torch.no_grad():
        assert torch.equal(ours(sources).logits, theirs(sources).logits)
    assert {path.name for path in folder.iterdir()} >= {"README.md", "config.json", "generation_config.json"}


def test_half_precision_and_shards(tmp_path: Path) -> None:
    save_model(tiny_model(), tmp_path / "model", None, half=True, shard="20KB")
    shards = list((tmp_path / "model").glob("*.safetensors"))
    assert len(shards) > 1 and all(path.stat().st_size <= 30_000 for path in shards)
    weight = load_model(tmp_path / "model").output.weight
    torch.testing.assert_close(weight, tiny_model().output.weight, atol=1e-3, rtol=1e-3)


def test_auto_classes_know_it(folder: Path) -> None:
    register_auto_classes()
    assert AutoConfig.from_pretrained(folder).model_type == "da_t5"
    assert type(AutoModel.from_pretrained(folder)).__name__ == "DAT5ForGeneration"


def test_a_truncated_file_is_refused(load: Load, folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InvalidInput, match="truncated"):
        load(folder)
    (folder / "checksums.json").unlink()
    with pytest.raises(InvalidInput, match="cannot be read"):
        load(folder)


def test_a_tampered_file_is_refused(load: Load, folder: Path) -> None:
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="changed"):
        load(folder)


def test_a_pickle_is_refused_and_not_opened(load: Load, folder: Path) -> None:
    (folder / "model.safetensors").unlink()

    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str, ...]]:
            return exec, ("raise SystemExit('the pickle was opened')",)

    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(InvalidInput, match="safetensors"):
        load(folder)


def test_another_tokenizer_is_refused(load: Load, tmp_path: Path) -> None:
    import hashlib

    digest = hashlib.sha256(b"a tokenizer").hexdigest()
    save_model(tiny_model(tokenizer_sha256=digest), tmp_path / "model", b"a tokenizer")
    load(tmp_path / "model", tokenizer=b"a tokenizer")
    with pytest.raises(InvalidInput, match="trained with"):
        load(tmp_path / "model", tokenizer=b"another")


def test_a_folder_without_a_model_is_refused(load: Load, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"config\.json"):
        load(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}), "utf-8")
    with pytest.raises(InvalidInput, match="model_type"):
        load(tmp_path)


def test_a_full_disk_leaves_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("controldag.model.definition.da_t5.DAT5ForGeneration.save_pretrained", full)
    with pytest.raises(InvalidInput, match="No space left"):
        save_model(tiny_model(1), folder, None)
    load_model(folder)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def without_checksums(folder: Path) -> Path:
    (folder / "checksums.json").unlink()
    return folder


def test_a_tensor_under_another_name_is_not_made_up(load: Load, folder: Path) -> None:
    path = without_checksums(folder) / "model.safetensors"
    tensors = load_file(path)
    name = next(name for name in tensors if "decoder" in name)
    save_file({("stray" if key == name else key): value for key, value in tensors.items()}, path, {"format": "pt"})
    with pytest.raises(InvalidInput, match=f"{name} missing"):
        load(folder)


def test_a_tensor_too_many_or_of_another_shape_is_refused(load: Load, folder: Path) -> None:
    path = without_checksums(folder) / "model.safetensors"
    tensors = load_file(path)
    save_file({**tensors, "stray": torch.zeros(2)}, path, {"format": "pt"})
    with pytest.raises(InvalidInput, match="stray of no use"):
        load(folder)
    name = next(iter(tensors))
    save_file({**tensors, name: torch.zeros(2)}, path, {"format": "pt"})
    with pytest.raises(InvalidInput, match=r"must have the shape .* but is \(2,\)"):
        load(folder)


def test_weights_that_are_whole_numbers_are_refused(load: Load, folder: Path) -> None:
    """They would be read as they are: zeros, where weights are below one."""
    path = without_checksums(folder) / "model.safetensors"
    tensors = load_file(path)
    name = next(iter(tensors))
    save_file({**tensors, name: tensors[name].to(torch.int32)}, path, {"format": "pt"})
    with pytest.raises(InvalidInput, match=f"`{name}` must hold floating-point numbers"):
        load(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_layers": 10**6}, "`num_layers` must be an integer of at least 1 and at most 256"),
        ({"num_layers": 3}, "missing"),
        ({"vocab_size": 61}, "must have the shape"),
        ({"vocab_size": "60"}, "`vocab_size` must be of the kind int"),
        ({"relative_attention_num_buckets": -1}, "`relative_attention_num_buckets` must be from 4 to 65,536"),
        ({"relative_attention_max_distance": 0}, "`relative_attention_max_distance` must be more than half"),
        ({"link_heads": 0}, "`link_heads` must divide"),
        ({"d_model": None}, "`d_model` must be of the kind int"),
        ({"d_ff": True}, "`d_ff` must be of the kind int"),
        ({"dropout_rate": float("nan")}, "`dropout_rate` must be finite"),
        ({"copy_source": "yes"}, "`copy_source` must be of the kind bool"),
        ({"tokenizer_sha256": 5}, "`tokenizer_sha256` must be of the kind str"),
        ({"model_type": ["da_t5"]}, "`model_type` must be one of"),
    ],
)
def test_a_config_that_asks_for_something_else_is_refused(
    load: Load, folder: Path, changes: dict[str, Any], message: str
) -> None:
    path = without_checksums(folder) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")
    with pytest.raises(InvalidInput, match=re.escape(message)):
        load(folder)


@pytest.mark.parametrize("content", ["[]", "3", '{"config.json": 5}', "[" * 200_000, "{", "\x00"])
@pytest.mark.parametrize("name", ["checksums.json", "config.json"])
def test_files_that_hold_something_else_are_refused(load: Load, folder: Path, name: str, content: str) -> None:
    (folder / name).write_text(content, "utf-8")
    with pytest.raises(InvalidInput):
        load(folder)
