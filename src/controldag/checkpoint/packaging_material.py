"""What a checkpoint's lists are learned from: a data set of ours, or the user's data on top of another checkpoint."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.checkpoint.folder import folder_of
from controldag.data.own_data import SCHEMA, OwnData, holds_triples
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.errors import InvalidInput

SPLITS = ("train", "dev", "test")
_SETS = "This run was not trained on data of your own: give --data the folder with sgd/ and dart/."


@dataclass(frozen=True, slots=True)
class Material:
    """Training examples with their schema; `base` is the checkpoint whose lists they extend."""

    examples: list[Example]
    schema: Schema | None  # None for triples
    services: list[dict[str, Any]]  # as schema.json lists them
    source: str
    templates: Templates | None = None
    base: Path | None = None


def material_of(run: Path, config: dict[str, Any], data: Path) -> Material:
    """The user's data in `data` for a run that started from a checkpoint, or else `data`'s SGD or DART."""
    if config.get("lineariser") == "full" and not _started_from(run):
        return _both(data)
    lineariser, init = str(config.get("lineariser", "")), _started_from(run)
    triples = holds_triples(lineariser, data) if init else lineariser.startswith("triples")
    if init:
        own = OwnData.read(data, triples=triples)
        services = [] if triples else _merged([data / SCHEMA])
        return Material(own.train, own.schema, services, "own data", base=folder_of(init, weights=False))
    folder = data / ("dart" if triples else "sgd")
    train = folder / "train.jsonl.gz"
    if not train.is_file():
        raise InvalidInput.of("--data", f"hold {train.parent.name}/{train.name}", str(data), remedy=_SETS)
    schemas = [] if triples else [folder / split / SCHEMA for split in SPLITS]
    templates = Templates.load(folder / "templates") if config.get("lineariser") == "template-guided" else None
    return Material(
        list(read_examples(train, for_training=True)),
        Schema.load(*schemas) if schemas else None,
        _merged(schemas),
        train.name,
        templates,
    )


def _both(data: Path) -> Material:
    """SGD and DART together, for one model that reads acts and triples."""
    for name in ("sgd", "dart"):
        if not (data / name / "train.jsonl.gz").is_file():
            rule = f"hold {name}/train.jsonl.gz"
            raise InvalidInput.of("--data", rule, str(data), remedy=_SETS)
    examples = [e for n in ("sgd", "dart") for e in read_examples(data / n / "train.jsonl.gz", for_training=True)]
    schemas = [path for split in SPLITS if (path := data / "sgd" / split / SCHEMA).is_file()]
    return Material(examples, Schema.load(*schemas), _merged(schemas), "train.jsonl.gz of sgd and dart")


def own_folder(run: Path) -> Path | None:
    """The folder of the user's own data that a run was trained on; None for other runs, or where it is gone."""
    folder = Path(_own_results(run).get("data", ""))
    return folder if folder.name and folder.is_dir() else None


def _started_from(run: Path) -> str:
    """The checkpoint that a run on the user's own data says it started from; empty for other runs and model folders."""
    return str(_own_results(run).get("options", {}).get("init", ""))


def _own_results(run: Path) -> dict[str, Any]:
    """What a run on the user's own data says of itself; nothing for other runs and model folders."""
    try:
        results: dict[str, Any] = json.loads((run / "results.json").read_text("utf-8"))
        return results if results["options"]["data"]["dataset"] == "own" else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _merged(files: Iterable[Path]) -> list[dict[str, Any]]:
    """The services of all schema files, each once, with what generation reads."""
    merged: dict[str, dict[str, Any]] = {}
    for path in files:
        for service in json.loads(path.read_bytes().decode("utf-8-sig")):
            merged.setdefault(service["service_name"], service)
    return [merged[name] for name in sorted(merged)]
