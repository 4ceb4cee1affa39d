"""Texts for blind readers: `python -m tools.draw_readings DATA FOLDER`.

Writes texts.jsonl (n, id, set, system, origin, text: for `tools.count_readings`, not for readers) and sheet.jsonl (n,
input, what the schema says of it, text: for readers, and not to be kept, since it holds the data's inputs).
200 turns of dev about services that training has not, as the cascade says them, and every input of `new`; some as the
graph alone says them stand among them, shuffled.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import controldag as cd
from controldag.data.act_syntax import written
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.files import atomic_write_text
from controldag.generation.request import Request
from controldag.generation.result import Result

_BEFORE = 60  # texts of the graph alone: readers who meet none stop looking


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of one set, and how they are said."""

    name: str
    model: str
    examples: Sequence[Example]
    schema: Schema | None


def inputs(data: Path, turns: int, chance: random.Random) -> list[Inputs]:
    """The three sets."""
    schema, new = Schema.load(data / "sgd/dev/schema.json"), Schema.load(data / "new/schema.json")
    learnt = set(Schema.load(data / "sgd/train/schema.json").services)
    dev = [each for each in read_examples(data / "sgd/dev.jsonl.gz", schema=schema) if each.service not in learnt]
    return [
        Inputs("dev", "sgd-mini", chance.sample(dev, turns), schema),
        Inputs("new-turn", "sgd-mini", list(read_examples(data / "new/turns.jsonl", schema=new)), new),
        Inputs("new-triple", "dart-mini", list(read_examples(data / "new/triples.jsonl")), None),
    ]


def about(example: Example, schema: Schema | None) -> dict[str, Any]:
    """What a reader has to know of an input: its service, and the descriptions of its slots and intents."""
    service = schema.services.get(example.service) if schema is not None else None
    if service is None:
        return {}
    slots = {act.slot: service.slots[act.slot].description for act in example.acts if act.slot in service.slots}
    intents = {each.name: each.description for each in service.intents}
    offered = {value: intents[value] for act in example.acts for value in act.values if value in intents}
    return {"service": f"{service.name}: {service.description}", "slots": slots, "intents": offered}


def said(group: Inputs, trust: str) -> list[Result]:
    """Every input of a set, one result each."""
    nlg = cd.ControlDag.from_pretrained(group.model, schema=group.schema)
    requests = [Request(example, trust=trust) for example in group.examples]
    return [each for each in nlg.generate_batch(requests) if isinstance(each, Result)]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    rows: list[tuple[Inputs, Example, str, str, str]] = []
    for group in inputs(given.data, given.turns, chance):
        after, before = said(group, "verified"), said(group, "graph")
        wanted = set(chance.sample(range(len(after)), min(len(after), _BEFORE * len(after) // (given.turns + 80))))
        for place, (example, new, old) in enumerate(zip(group.examples, after, before, strict=True)):
            rows.append((group, example, "after", str(new.origin), new.text))
            if place in wanted and old.text != new.text:
                rows.append((group, example, "before", "graph", old.text))
    chance.shuffle(rows)
    given.out.mkdir(parents=True, exist_ok=True)
    with atomic_write_text(given.out / "texts.jsonl") as key, atomic_write_text(given.out / "sheet.jsonl") as sheet:
        for n, (group, example, system, origin, text) in enumerate(rows):
            row = {"n": n, "id": example.id, "set": group.name, "system": system, "origin": origin, "text": text}
            key.write(json.dumps(row, ensure_ascii=False) + "\n")
            shown = {"n": n, "input": list(written(example)), **about(example, group.schema), "text": text}
            sheet.write(json.dumps(shown, ensure_ascii=False) + "\n")
    print(f"{len(rows)} texts")


if __name__ == "__main__":
    main()
