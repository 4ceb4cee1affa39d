"""Model folders as they are on disk: what may stand there, and whether it is what was saved."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from pathlib import Path
from typing import Any

from controldag.errors import InvalidInput
from controldag.files import read_json, sha256_of
from controldag.runtime.eight_bits import widened
from controldag.runtime.sizes import DAG, TWIN, DagOptions, T5Options
from controldag.runtime.tensors import REMEDY, Tensors, read_tensors

CHECKSUMS = "checksums.json"
TOKENIZER = "tokenizer.model"
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".ckpt")


def load_tensors(folder: str | Path, *, tokenizer: bytes | None = None) -> tuple[DagOptions, Tensors]:
    """Sizes and weights of the DA-T5 in a folder, every file checked first.

    `tokenizer` is the SentencePiece model to be used with it; it has to be the one it was trained with.
    """
    folder = Path(folder)
    values = read_config(folder)
    if values["model_type"] != DAG:
        rule = f"be a directed acyclic one ({DAG})"
        raise InvalidInput.of("model", rule, values["model_type"], remedy="Name a DA-T5 folder.")
    known = {field.name for field in fields(DagOptions)}
    options = DagOptions(**{name: value for name, value in values.items() if name in known})
    options.check()
    check_files(folder)
    if tokenizer is not None:
        check_tokenizer(options, tokenizer)
    return options, Tensors(widened(read_tensors(folder)), folder)


def check_files(folder: Path) -> None:
    """Raises InvalidInput unless the weights are safetensors and all files are those that were saved."""
    _refuse_pickles(folder)
    _verify(folder)


def check_tokenizer(options: T5Options, tokenizer: bytes) -> None:
    """Raises unless `tokenizer` is the one the model was trained with (where that was recorded)."""
    found = hashlib.sha256(tokenizer).hexdigest()
    if options.tokenizer_sha256 and found != options.tokenizer_sha256:
        raise InvalidInput.of(
            "tokenizer",
            f"be the one the model was trained with (SHA-256 {options.tokenizer_sha256[:12]}…)",
            f"{found[:12]}…",
            remedy=f"Use the {TOKENIZER} beside the weights.",
        )


def read_config(folder: Path) -> dict[str, Any]:
    """What its config.json holds: one of ours, or InvalidInput."""
    known = (DAG, TWIN)
    try:
        config = read_json(folder / "config.json")
    except (OSError, ValueError) as error:
        raise InvalidInput.of("model folder", "hold a readable config.json", str(folder), remedy=REMEDY) from error
    if not isinstance(config, dict) or config.get("model_type") not in known:
        raise InvalidInput.of("model_type", f"be one of {', '.join(known)}", config, remedy=REMEDY)
    return config


def _refuse_pickles(folder: Path) -> None:
    if any(folder.glob("*.safetensors")):
        return
    pickles = [path.name for path in sorted(folder.iterdir()) if path.suffix in _PICKLES]
    if pickles:
        raise InvalidInput.of(
            "weights",
            "be safetensors (a pickle can run any code)",
            pickles,
            remedy="Convert them where you trust them.",
        )
    raise InvalidInput.of("model folder", "hold *.safetensors files", str(folder), remedy=REMEDY)


def _verify(folder: Path) -> None:
    """Compares the files with their checksums, where the folder has them."""
    path = folder / CHECKSUMS
    if not path.is_file():
        return
    try:
        wanted = read_json(path)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} is not readable.", remedy=REMEDY) from error
    if not isinstance(wanted, dict) or not all(isinstance(checksum, str) for checksum in wanted.values()):
        raise InvalidInput(f"{path} holds no checksums by file.", remedy=REMEDY)
    for name, checksum in wanted.items():
        file = folder / Path(name).name
        if not file.is_file():
            raise InvalidInput(f"{file} is missing.", remedy=REMEDY)
        if name != "README.md" and sha256_of(file) != checksum:
            raise InvalidInput(f"{file} is truncated or was changed after it was saved.", remedy=REMEDY)
