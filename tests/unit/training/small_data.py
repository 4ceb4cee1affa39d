"""A data folder in small: made-up turns with five wordings of their schema, triples and plain sentences."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

from controldag.training.toy import toy_examples

SLOTS = {
    "name": ("title", "label", "named", "place_name", "called"),
    "city": ("town", "place", "located_in", "city_name", "where"),
    "food": ("dish", "meal", "serves", "food_type", "cuisine"),
}
PLAIN = (
    "The old mill in Avon grinds oats for the village bakers.",
    "She sold her boats to a friend from Brent in 1994.",
    "A quiet river runs past the houses of the town.",
    "They serve warm bread and soup in the hall on Sundays.",
)


def make_data(folder: Path) -> Path:
    """Writes the folder that a mixture of sgd, dart, infill and rebuild reads, and returns it."""
    for split, count in (("train", 300), ("dev", 20)):
        _lines(folder / "sgd" / f"{split}.jsonl.gz", [_turn(example) for example in toy_examples(count, len(split))])
        _write(folder / "sgd" / split / "schema.json", json.dumps([_service("Places_1", "places to go", 0)]))
    for number in range(1, 6):
        service = _service(f"Places_1{number}", f"wording {number} of places", number)
        _write(folder / "corpora" / "sgdx" / f"v{number}" / "train" / "schema.json", json.dumps([service]))
    triples = [
        {"id": f"d{i}", "tripleset": [[f"Person {i}", relation, f"Town {i}"]], "references": [text]}
        for i in range(60)
        for relation, text in [_fact(i)]
    ]
    _lines(folder / "dart" / "train.jsonl.gz", triples)
    plain = folder / "corpora" / "plain" / "sentences.txt.xz"
    plain.parent.mkdir(parents=True)
    with lzma.open(plain, "wt", encoding="utf-8") as file:
        file.writelines(f"made up\t\t{sentence}\n" for sentence in PLAIN)
    return folder


def _fact(number: int) -> tuple[str, str]:
    """A relation and its text; a word is pointed at where it is not usual in texts without it."""
    if number % 6 == 0:
        return "birthPlace", f"Person {number} has Town {number} as birth place."
    return "employer", f"Person {number} works for Town {number}."


def _turn(example: Any) -> dict[str, Any]:
    acts = [{"act": act.act, "slot": act.slot, "values": list(act.values)} for act in example.acts]
    return {"id": example.id, "service": example.service, "dialog_acts": acts, "target": example.target}


def _service(name: str, description: str, number: int) -> dict[str, Any]:
    slots = [
        {"name": others[number - 1] if number else slot, "description": f"the {slot}", "is_categorical": False}
        for slot, others in SLOTS.items()
    ]
    return {"service_name": name, "description": description, "slots": slots, "intents": []}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
