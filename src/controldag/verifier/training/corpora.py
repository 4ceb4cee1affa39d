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

from controldag.data.phrases import is_table_marker
from controldag.verifier.claims import FACT, WORDED
from controldag.verifier.layout import cut_out
from controldag.verifier.training.records import Record, Said, Wordings, usable
from controldag.verifier.words import name_words, norms_of

_VARIANTS = ("v1", "v2", "v3", "v4", "v5")
# How many records of a file are read at most: of the large ones a part is enough.
_ACT_FILES = {
    "sgd_train_user": 60_000, "multiwoz_templates": 22_000, "multiwoz_valtest": 28_000, "rnnlg": 27_000,
    "star": 57_000, "camrest": 4_000, "crosswoz_en": 15_000, "viggo": 7_000, "taskmaster3_part": 15_000,
}  # fmt: skip
_TRIPLE_FILES = ("rel2text", "wdv", "pararel_synth", "webnlg_train_seencat")
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


def record_of_acts(source: str, service: str, acts: list[dict[str, Any]], text: str, user: bool = False) -> Record:
    """One turn: acts of the same slot stay apart."""
    numbers: dict[tuple[str, ...], int] = {}
    claims = []
    for act in acts:
        head = f"USER_{act['act']}" if user else act["act"]
        if act["slot"] == "intent":
            key = f"{service}/{act['values'][0]}" if act["values"] else ""
            claims.append(Said(head, key))
            continue
        worded = tuple(v.strip().lower() for v in act["values"] if v.strip().lower() in WORDED)
        plain = [tuple(norms_of(v)) for v in act["values"] if v.strip().lower() not in WORDED]
        values = tuple(numbers.setdefault(v, len(numbers)) for v in plain if v)
        key = f"{service}/{act['slot']}" if act["slot"] else ""
        claims.append(Said(head, key, values, -1, worded))
    return Record(source, service, claims, list(numbers), cut_out(norms_of(text), list(numbers)))


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


def record_of_triples(
    source: str, triples: list[list[str]], text: str, wordings: Wordings, description: str = ""
) -> Record:
    """One set of triples: objects are values, subjects stand beside them."""
    numbers: dict[tuple[str, ...], int] = {}

    def number(value: str) -> int:
        words = tuple(norms_of(value.replace("_", " ")))
        return -1 if not words or is_table_marker(value) else numbers.setdefault(words, len(numbers))

    claims = []
    for subject, relation, thing in triples:
        key = f"relation/{' '.join(name_words(relation))}"
        service = "relation:" + source
        wordings.add(service, key, name_words(relation), norms_of(description), intent=False)
        about = number(subject)
        if thing.strip().lower() in WORDED:
            claims.append(Said(FACT, key, (), about, (thing.strip().lower(),)))
        else:
            value = number(thing)
            claims.append(Said(FACT, key, (value,) if value >= 0 else (), about))
    return Record(source, "relation:" + source, claims, list(numbers), cut_out(norms_of(text), list(numbers)))


def _plain(path: Path, chance: random.Random, most: int) -> Iterator[Record]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t", 2)[-1] for line in file]
    for line in chance.sample(lines, min(most, len(lines))):
        words = norms_of(line)
        if 4 <= len(words) <= 45 and line[-1:] in '.!?"':
            yield Record("plain", "", [], [], [*words])
