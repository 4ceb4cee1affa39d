"""`python -m recipes teach`: texts that are right, to learn from: parts `invented`, `facts`, `told` of a mixture."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from controldag.checkpoint.folder import folder_of
from controldag.cli.console import Json, Quiet, counting, out, print_json
from controldag.data.corpora import read_corpus
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.rewording import load_wordings
from controldag.data.schema import Schema, Service, Slot
from controldag.files import atomic_write, write_json
from controldag.pipeline import ControlDag
from recipes.teach.facts import invented_facts
from recipes.teach.services import OPEN, Inventor, KnownSlot, invented
from recipes.teach.telling import inputs_to_tell, told


class Part(StrEnum):
    """What is taught: turns of invented services, invented facts, or DART as a model says it."""

    INVENTED = "invented"
    FACTS = "facts"
    TOLD = "told"


def teach(
    part: Annotated[Part, typer.Argument(help="invented, facts or told.")],
    data: Annotated[Path, typer.Argument(help="Folder of the data sets; what is written goes to DATA/taught.")],
    count: Annotated[int, typer.Option(min=1, help="Turns, sets of facts, or parts of DART's inputs.")] = 40_000,
    model: Annotated[str, typer.Option(help="Of `told`: who says DART's inputs.")] = "dart-mini",
    to: Annotated[Path | None, typer.Option("--to", help="Another folder to write to.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 1,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write texts to learn from that are right by construction or verified; everything comes from training data."""
    folder, chance = to or data / "taught", random.Random(f"{part} {seed}")
    counts: dict[str, int] = {}
    if part is Part.TOLD:
        folder_of(model)
        inputs = inputs_to_tell(list(read_examples(data / "dart" / "train.jsonl.gz", for_training=True)), count, chance)
        with counting(len(inputs), "telling", quiet=quiet or as_json) as progress:
            pairs = list(told(ControlDag.from_pretrained(model), inputs, progress))
        counts = dict(Counter(origin for _, origin in pairs))
        _write(folder / f"{part}.jsonl.gz", (_row(example) for example, _ in pairs))
    elif part is Part.FACTS:
        made = list(invented_facts(_relations(data), count, chance))
        _write(folder / f"{part}.jsonl.gz", map(_row, made))
        counts = {"facts": len(made)}
    else:
        turns = list(invented(_inventor(data), count, chance))
        _write(folder / f"{part}.jsonl.gz", (_row(example) for example, _ in turns))
        services = {service.name: service for _, service in turns}
        write_json(folder / "schema.json", [_written(service) for service in services.values()])
        counts = {"turns": len(turns)}
    if as_json:
        print_json({"folder": str(folder), **counts})
    else:
        out.print(f"{folder}: " + ", ".join(f"{name} {number:,}" for name, number in counts.items()))


def _relations(data: Path) -> list[Example]:
    return list(read_corpus(data / "corpora" / "triples" / "rel2text.jsonl.gz"))


def _inventor(data: Path) -> Inventor:
    schema = Schema.load(data / "sgd" / "train" / "schema.json")
    wordings = load_wordings(schema, data / "corpora" / "sgdx", "train")
    turns = list(read_examples(data / "sgd" / "train.jsonl.gz", for_training=True))
    return Inventor.of(schema, wordings, turns, _as_slots(_relations(data)))


def _as_slots(facts: Iterable[Example]) -> list[KnownSlot]:
    """Relations as slots of their objects."""
    objects: dict[str, dict[str, None]] = {}
    for example in facts:
        for triple in example.triples:
            objects.setdefault(triple.relation, {})[triple.object] = None
    return [KnownSlot(Slot("_".join(relation.split())), OPEN, tuple(values)) for relation, values in objects.items()]


def _row(example: Example) -> dict[str, Any]:
    acts = [{"act": act.act, "slot": act.slot, "values": list(act.values)} for act in example.acts]
    what: dict[str, Any] = {"acts": acts, "domain": example.service, "service": example.service}
    if example.triples:
        what = {"triples": [[each.subject, each.relation, each.object] for each in example.triples]}
    return {"id": example.id, **what, "text": example.target, "split": "train", "speaker": example.speaker}


def _written(service: Service) -> dict[str, Any]:
    slots = [
        {
            "name": slot.name,
            "description": slot.description,
            "is_categorical": slot.is_categorical,
            "possible_values": list(slot.possible_values),
        }
        for slot in service.slots.values()
    ]
    intents = [{"name": intent.name, "description": intent.description} for intent in service.intents]
    return {
        "service_name": service.name, "description": service.description, "slots": slots, "intents": intents,
    }  # fmt: skip


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with atomic_write(path) as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        for row in rows:
            packed.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
