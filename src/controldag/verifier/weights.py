"""The verifier's weights in a folder: eight bits a number, with a scale a row, in safetensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from controldag.errors import DataError
from controldag.files import atomic_write, atomic_write_text, read_json, write_json
from controldag.runtime.eight_bits import narrowed, widened
from controldag.runtime.tensors import REMEDY, SPOILT, Floats, read_arrays, read_tensors
from controldag.verifier.english import SHAPES as ENGLISH_SHAPES
from controldag.verifier.english import English
from controldag.verifier.heard import Heard
from controldag.verifier.lexicon import Lexicon
from controldag.verifier.options import NetworkOptions

FORMAT = "controldag-verifier/1"
WEIGHTS, WORDS, CONFIG, ENGLISH = "model.safetensors", "words.txt", "config.json", "english.npz"
_NETWORK = "network."


@dataclass(frozen=True, slots=True)
class Stored:
    """A network as a folder holds it: its sizes, weights by name in float32, and vocabulary."""

    options: NetworkOptions
    tensors: Mapping[str, Floats]
    lexicon: Lexicon


def save_network(network: Stored, folder: Path, *, about: Mapping[str, Any]) -> None:
    """Writes weights, vocabulary and sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / WEIGHTS) as file:
        file.write(save(narrowed(network.tensors)))
    with atomic_write_text(folder / WORDS) as file:
        file.write("\n".join(network.lexicon.vocabulary) + "\n")
    write_json(folder / CONFIG, {"format": FORMAT, "network": network.options.as_dict(), "about": dict(about)})


def save_english(english: English, folder: Path) -> None:
    """Writes the judge of English beside a network."""
    tensors = {f"{_NETWORK}{name}": each.astype(np.float16) for name, each in english.weights.items()}
    with atomic_write(folder / ENGLISH) as file:
        np.savez_compressed(file, **tensors, **english.heard.arrays())  # type: ignore[arg-type]


def load_english(folder: Path) -> English | None:
    """What `save_english` wrote; None where a verifier has none."""
    path = folder / ENGLISH
    if not path.is_file():
        return None
    arrays = read_arrays(path)
    try:
        weights = {name: arrays[_NETWORK + name].astype(np.float32) for name in ENGLISH_SHAPES}
        unfit = [name for name, shape in ENGLISH_SHAPES.items() if weights[name].shape != shape]
        if unfit or not all(np.isfinite(each).all() for each in weights.values()):
            raise ValueError(f"{unfit[0]} has another shape" if unfit else "a weight is infinite, or no number")
        return English(Heard.from_arrays(arrays), weights)
    except SPOILT as error:
        raise DataError(f"cannot be read ({error}).", path=path, remedy=REMEDY) from error


def load_network(folder: Path) -> Stored:
    """What `save_network` wrote."""
    for name in (CONFIG, WORDS, WEIGHTS):
        if not (folder / name).is_file():
            raise DataError(f"there is no {name}.", path=folder, remedy="Name a folder with a verifier.")
    config = read_config(folder)
    if config.get("format") != FORMAT:
        raise DataError(f"must be {FORMAT!r}.", path=folder / CONFIG, field="format", remedy="Use another folder.")
    try:
        options = NetworkOptions(**config.get("network"))  # type: ignore[arg-type]
        options.check()
        words = (folder / WORDS).read_text("utf-8").removesuffix("\n").split("\n")
    except SPOILT as error:
        raise DataError(f"cannot be read ({error}).", path=folder / CONFIG, remedy=REMEDY) from error
    stored = read_tensors(folder)
    try:
        full = {name: np.asarray(array, np.float32) for name, array in widened(stored).items()}
    except SPOILT as error:
        raise DataError(f"cannot be read ({error}).", path=folder / WEIGHTS, remedy=REMEDY) from error
    return Stored(options, full, Lexicon(words, options.buckets))


def read_config(folder: Path) -> dict[str, Any]:
    """What the folder's config.json says."""
    try:
        config = read_json(folder / CONFIG)
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read ({error}).", path=folder / CONFIG, remedy=REMEDY) from error
    if not isinstance(config, dict):
        raise DataError("must hold an object.", path=folder / CONFIG, remedy=REMEDY)
    return config
