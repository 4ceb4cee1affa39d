"""The corpora as records: SGD in six wordings, other dialogue corpora, triples, plain sentences."""

from __future__ import annotations

import gzip
import json
import lzma
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from controldag.verifier.training.plain_records import WordedSchema, plain_facts, plain_turns
from controldag.verifier.training.reading import record_of_acts, record_of_triples
from controldag.verifier.training.records import Record, Wordings, usable
from controldag.verifier.words import name_words, norms_of

_VARIANTS = ("v1", "v2", "v3", "v4", "v5")
# How many records of a file are read at most: of the large ones a part is enough.
_ACT_FILES = {
    "sgd_train_user": 60_000, "multiwoz_templates": 22_000, "multiwoz_valtest": 28_000, "rnnlg": 27_000,
    "star": 57_000, "camrest": 4_000, "crosswoz_en": 15_000, "viggo": 7_000, "taskmaster3_part": 15_000,
}  # fmt: skip
_TRIPLE_FILES = ("rel2text", "wdv", "pararel_synth", "webnlg_train_seencat")
# How many turns, and what share of triple sets, are also said plainly.
_PLAIN_TURNS, _PLAIN_FACTS = 40_000, 0.3
_GUESSED_FALSE = frozenset({"none", "?", ""})


def read_all(data: Path, *, chance: random.Random, plain: int = 150_000) -> tuple[list[Record], Wordings]:
    """Every record to learn from, and the wordings of what they claim."""
    wordings = Wordings()
    records = list(_sgd(data, wordings))
    for name, most in _ACT_FILES.items():
        records += islice(_other_acts(data / f"corpora/acts/{name}.jsonl.gz", name, wordings), most)
    records += _dart(data, wordings)
    for name in _TRIPLE_FILES:
        records += _other_triples(data / f"corpora/triples/{name}.jsonl.gz", name, wordings)
    records += _said_plainly(data, wordings, chance)
    records += _plain(data / "corpora/plain/sentences.txt.xz", chance, plain)
    return usable(records), wordings


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _sgd(data: Path, wordings: Wordings) -> Iterator[Record]:
    original = json.loads((data / "sgd/train/schema.json").read_text("utf-8"))
    schemas = [json.loads((data / f"corpora/sgdx/{v}/train/schema.json").read_text("utf-8")) for v in _VARIANTS]
    for place, service in enumerate(original):
        name = service["service_name"]
        for schema in (original, *schemas):
            words = schema[place]
            wordings.services.setdefault(name, []).append(tuple(norms_of(words["description"])[:16]))
            for kind in ("slots", "intents"):
                for own, other in zip(service[kind], words[kind], strict=True):
                    described = norms_of(other["description"])
                    key = f"{name}/{own['name']}"
                    wordings.add(name, key, name_words(other["name"]), described, intent=kind == "intents")
        for pseudo in ("count",):
            wordings.add(name, f"{name}/{pseudo}", [pseudo], [], intent=False)
    for row in _lines(data / "sgd/train.jsonl.gz"):
        yield record_of_acts("sgd", row["service"], row["dialog_acts"], row["target"])


def _other_acts(path: Path, name: str, wordings: Wordings) -> Iterator[Record]:
    for row in _lines(path):
        acts = row.get("acts")
        if not acts:
            if name != "sgd_train_user":
                yield Record("plain", "", [], [], [*norms_of(row["text"])])
            continue
        about = row.get("domain") or ""
        domain = about if isinstance(about, str) else " ".join(about)
        service = row.get("service") or f"{name}:{domain}"
        if not isinstance(service, str):
            continue  # a turn about two services at once
        if any(v.strip().lower() in _GUESSED_FALSE for act in acts for v in act["values"]):
            continue
        for act in acts:
            if act["slot"] and act["slot"] != "intent" and "service" not in row:
                key = f"{service}/{act['slot']}"
                wordings.add(service, key, name_words(act["slot"]), [], intent=False)
            elif act["slot"] == "intent" and act["values"] and "service" not in row:
                wordings.add(service, f"{service}/{act['values'][0]}", name_words(act["values"][0]), [], intent=True)
        if "service" not in row:
            wordings.services.setdefault(service, [tuple(norms_of(domain))])
        record = record_of_acts(name, service, acts, row["text"], user=row.get("speaker") == "user")
        if _said_by_and_large(record):
            yield record


def _said_by_and_large(record: Record) -> bool:
    """Whether every value of the claims stands in the text: annotations of these corpora are not always right."""
    there = {item for item in record.text if isinstance(item, int)}
    return len(there) == len(record.values)


def _dart(data: Path, wordings: Wordings) -> Iterator[Record]:
    for row in _lines(data / "dart/train.jsonl.gz"):
        for text in row["references"][:3]:
            yield record_of_triples("dart", row["tripleset"], text, wordings)


def _other_triples(path: Path, name: str, wordings: Wordings) -> Iterator[Record]:
    for row in _lines(path):
        if row.get("quality", "ok") == "ok" and not row.get("shares_dart_eval_triple"):
            yield record_of_triples(name, row["triples"], row["text"], wordings, row.get("rel_desc", ""))


def _said_plainly(data: Path, wordings: Wordings, chance: random.Random) -> Iterator[Record]:
    original = data / "sgd/train/schema.json"
    reworded = [(v, data / f"corpora/sgdx/{v}/train/schema.json") for v in _VARIANTS]
    schemas = [WordedSchema(name, original, path) for name, path in [("v0", original), *reworded]]
    turns = chance.sample(list(_lines(data / "sgd/train.jsonl.gz")), _PLAIN_TURNS)
    yield from plain_turns(turns, schemas, wordings, chance)
    for name in _TRIPLE_FILES:
        for row in _lines(data / f"corpora/triples/{name}.jsonl.gz"):
            if not row.get("shares_dart_eval_triple") and chance.random() < _PLAIN_FACTS:
                yield from plain_facts("plain_facts", row["triples"], wordings)
    for row in _lines(data / "dart/train.jsonl.gz"):
        if chance.random() < _PLAIN_FACTS:
            yield from plain_facts("plain_dart", row["tripleset"], wordings)


def _plain(path: Path, chance: random.Random, most: int) -> Iterator[Record]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t", 2)[-1] for line in file]
    for line in chance.sample(lines, min(most, len(lines))):
        words = norms_of(line)
        if 4 <= len(words) <= 45 and line[-1:] in '.!?"':
            yield Record("plain", "", [], [], [*words])
