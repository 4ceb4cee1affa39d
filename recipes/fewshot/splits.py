"""Few-shot data of SGD as folders of own data: the published splits, and services that training never showed."""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.files import atomic_write_text, write_json

SHOTS = (5, 10, 20, 40, 80)
CURVES = ("published", "new-services")
_SEED, _HELD_OUT, _VALIDATION = 1, 20, 200
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Splits:
    """Records to learn from by number of shots, those to score, in random order, and those to choose settings on."""

    train: dict[int, list[Record]]
    scored: list[Record]
    validation: list[Record]

    def write(self, folder: Path, shots: int, services: list[Record]) -> None:
        """Writes one split as `train --init` reads it."""
        write_json(folder / "schema.json", services)
        _write(folder / "train.jsonl", self.train[shots])
        _write(folder / "dev.jsonl", self.validation)


def published(sgd: Path) -> Splits:
    """The splits of `fewshot/`: dialogues of SGD's training data, five to eighty a domain; scored on dev."""
    wanted = {shots: set((sgd / "fewshot" / f"{shots}_shot.txt").read_text("utf-8").split()) for shots in SHOTS}
    train: dict[int, list[Record]] = {shots: [] for shots in SHOTS}
    found: dict[int, set[str]] = {shots: set() for shots in SHOTS}
    for record in _records(sgd / "train.jsonl.gz"):
        for shots, names in wanted.items():
            if record["dialog_id"] in names:
                train[shots].append(record)
                found[shots].add(record["dialog_id"])
    if found != wanted:
        raise InvalidInput.of("fewshot", "name dialogues of train.jsonl.gz only", str(sgd))
    dev = list(_records(sgd / "dev.jsonl.gz"))  # in random order as it is
    return Splits(train, dev[:-_VALIDATION], dev[-_VALIDATION:])


def new_services(sgd: Path) -> Splits:
    """Dialogues of the services that are in dev and not in training, so many a service; scored on twenty others each.

    A service that has fewer gives all it has left. Of the turns of the twenty, every fourth is for validation.
    """
    known = {record["service"] for record in _records(sgd / "train.jsonl.gz")}
    turns: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in _records(sgd / "dev_full.jsonl.gz"):
        if record["service"] not in known:
            turns[record["service"]][record["dialog_id"]].append(record)
    chance = random.Random(_SEED)
    train: dict[int, list[Record]] = {shots: [] for shots in SHOTS}
    held_out: list[Record] = []
    for service in sorted(turns):
        dialogues = sorted(turns[service])
        chance.shuffle(dialogues)
        held_out += _turns(turns[service], dialogues[:_HELD_OUT])
        for shots in SHOTS:
            train[shots] += _turns(turns[service], dialogues[_HELD_OUT : _HELD_OUT + shots])
    validation = held_out[::4]
    scored = [record for place, record in enumerate(held_out) if place % 4]
    chance.shuffle(scored)
    return Splits(train, scored, validation)


def splits_of(curve: str, sgd: Path) -> Splits:
    """The splits of the curve of that name."""
    if curve not in CURVES:
        raise InvalidInput.of("curve", f"be one of {', '.join(CURVES)}", curve)
    return published(sgd) if curve == "published" else new_services(sgd)


def services_of(sgd: Path) -> list[Record]:
    """The services of train and dev, each once, as one schema."""
    found: dict[str, Record] = {}
    for split in ("train", "dev"):
        for service in json.loads((sgd / split / "schema.json").read_text("utf-8")):
            found.setdefault(service["service_name"], service)
    return list(found.values())


def as_examples(records: Sequence[Record], path: Path) -> list[Example]:
    """The records as examples, by way of the file `path`, as everything is read."""
    _write(path, records)
    return list(read_examples(path))


def _turns(dialogues: dict[str, list[Record]], names: Iterable[str]) -> list[Record]:
    return [record for name in names for record in dialogues[name]]


def _records(path: Path) -> Iterable[Record]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _write(path: Path, records: Iterable[Record]) -> None:
    with atomic_write_text(path) as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
