"""A verifier whose files are not what they were is refused with a typed error; none accepts what it cannot judge."""

from __future__ import annotations

import json
import math
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from controldag.data.act_syntax import parse_act
from controldag.data.records import Example
from controldag.errors import ControlDagError, InvalidInput
from controldag.verifier.bundled import FOLDER, GENERATION, bundled_verifier
from controldag.verifier.verifier import Verifier, _log_odds


def config_with(**changes: object) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        config["network"].update(changes.pop("network", {}))  # type: ignore[call-overload]
        (folder / "config.json").write_text(json.dumps({**config, **changes}), "utf-8")

    return spoil


def nan_weights(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    tensors["verdict.bias"] = np.full_like(tensors["verdict.bias"], math.nan)
    save_file(tensors, folder / "model.safetensors")


def nan_english(folder: Path) -> None:
    with np.load(folder / "english.npz") as stored:
        arrays = dict(stored)
    arrays["network.odd.bias"] = np.full_like(arrays["network.odd.bias"], math.nan)
    np.savez_compressed(folder / "english.npz", **arrays)


def bomb(folder: Path) -> None:
    with zipfile.ZipFile(folder / "english.npz", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("gaps.npy", b"\0" * (300 << 20))


def text_in(name: str, text: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(text) and None


@pytest.mark.parametrize(
    "spoil",
    [
        nan_weights,
        nan_english,
        bomb,
        config_with(network={"layers": 10**6}),
        config_with(network={"heads": 0}),
        config_with(network={"colour": 1}),
        config_with(network={"width": "wide"}),
        config_with(bar={"act": "high"}),
        config_with(bar={"act": math.nan}),
        config_with(bar=[1]),
        text_in("config.json", b"["),
        text_in("config.json", b"[]"),
        text_in("config.json", b"[" * 200_000),
        text_in("config.json", b'{"format": "controldag-verifier/1"}'),
        text_in("words.txt", b"\xff"),
        text_in("english.npz", b"PK"),
    ],
)
def test_a_spoilt_verifier_is_refused(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "verifier"
    shutil.copytree(FOLDER / GENERATION, folder)
    spoil(folder)
    with pytest.raises(ControlDagError):
        Verifier.load(folder)


@pytest.mark.parametrize("name", ["config.json", "words.txt", "model.safetensors", "english.npz"])
def test_bytes_that_changed_raise_nothing_untyped(name: str, tmp_path: Path) -> None:
    folder, rng = tmp_path / "verifier", Random(name)
    shutil.copytree(FOLDER / GENERATION, folder)
    whole = (folder / name).read_bytes()
    for _ in range(5):
        spoilt = bytearray(whole)
        for place in (rng.randrange(len(whole)), rng.randrange(min(200, len(whole))), -rng.randrange(1, 200)):
            spoilt[place] = rng.randrange(256)
        (folder / name).write_bytes(spoilt[: rng.choice((len(whole), len(whole) // 2))])
        with suppress(ControlDagError):
            Verifier.load(folder)


def test_what_is_no_number_is_never_likely() -> None:
    """A network of such weights called every text certain."""
    assert _log_odds(math.nan) == _log_odds(0.0) < 0


def test_more_claims_than_can_be_read_are_refused() -> None:
    """20,000 acts in one input took 16 GB and more: time and memory grow with the square of their words."""
    acts = tuple(parse_act(f"INFORM(city=Town{number})") for number in range(20_000))
    with pytest.raises(InvalidInput, match="the verifier reads 2,048 at once"):
        bundled_verifier().verify(Example("many", acts, service="Hotels_1"), ["It is in Town1."])
