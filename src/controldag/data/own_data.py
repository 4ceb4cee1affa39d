"""The user's own data: a folder with `train.jsonl`, for acts `schema.json`, and `dev.jsonl` where there is one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import InvalidInput

SCHEMA = "schema.json"
LEAST = 10
"""Examples below which there is nothing to hold out and little to learn."""
_HELD_OUT = 10  # without a dev.jsonl, every tenth example is for validation


@dataclass(frozen=True, slots=True)
class OwnData:
    """What was read, and a checksum of all of it."""

    train: list[Example]
    dev: list[Example]
    schema: Schema | None  # None for triples
    checksum: str

    @classmethod
    def read(cls, folder: Path | None, *, triples: bool) -> OwnData:
        """The data in `folder`, every record checked against its schema; `triples`: what the model reads."""
        if folder is None:
            remedy = "Give --data the folder with train.jsonl and schema.json."
            raise InvalidInput.of("--data", "name the folder of your data", None, remedy=remedy)
        train = _file(folder, "train")
        if train is None:
            remedy = "Give the folder of your own data; docs/tutorial.md shows what is in it."
            raise InvalidInput.of("--data", "hold train.jsonl or train.jsonl.gz", str(folder), remedy=remedy)
        schema = None if triples else Schema.load(folder / SCHEMA)
        examples = _read(train, schema, triples=triples)
        if len(examples) < LEAST:
            raise InvalidInput.of(train.name, f"hold at least {LEAST} examples", len(examples), remedy="Write more.")
        dev = _file(folder, "dev")
        files = [train, *([dev] if dev else []), *([] if triples else [folder / SCHEMA])]
        checksum = hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()
        if dev is not None:
            return cls(examples, _read(dev, schema, triples=triples), schema, checksum)
        kept = [example for place, example in enumerate(examples) if place % _HELD_OUT != _HELD_OUT - 1]
        return cls(kept, examples[_HELD_OUT - 1 :: _HELD_OUT], schema, checksum)


def holds_triples(lineariser: str, folder: Path | None) -> bool:
    """Whether own data for a model that reads inputs so is triples: one that reads both takes acts with a schema."""
    if lineariser == "full":
        return folder is not None and not (folder / SCHEMA).is_file()
    return lineariser.startswith("triples")


def _file(folder: Path, name: str) -> Path | None:
    return next((path for end in (".jsonl", ".jsonl.gz") if (path := folder / f"{name}{end}").is_file()), None)


def _read(path: Path, schema: Schema | None, *, triples: bool) -> list[Example]:
    examples = list(read_examples(path, schema=schema, for_training=True))
    wanted = "triples" if triples else "dialogue acts"
    for example in examples:
        if not (example.triples if triples else example.acts):
            remedy = "Start from a checkpoint that reads what you have: sgd-mini acts, dart-mini triples."
            raise InvalidInput.of(path.name, f"hold {wanted} in every record", example.id, remedy=remedy)
    return examples
