"""The corpora in one file, cut into words: read in seconds where training starts."""

from __future__ import annotations

import json
import lzma
import zlib
from dataclasses import asdict
from pathlib import Path

from controldag.files import atomic_write
from controldag.verifier.training.records import Record, Said, Wordings

_VALUE = "@"  # followed by its number; in texts, a sign stands alone


def save(records: list[Record], wordings: Wordings, path: Path) -> None:
    """Writes both: the wordings first, then a record a line; by xz, two thirds of what gzip takes."""
    with atomic_write(path) as packed, lzma.open(packed, "w") as file:
        file.write(_line(asdict(wordings)))
        for record in records:
            claims = [[c.head, c.key, c.values, c.subject, c.worded] for c in record.claims]
            text = " ".join(item if isinstance(item, str) else f"{_VALUE}{item}" for item in record.text)
            row = [record.source, record.service, claims, [" ".join(v) for v in record.values], text]
            file.write(_line(row))


def _line(content: object) -> bytes:
    return (json.dumps(content, ensure_ascii=False) + "\n").encode()


def load(path: Path, *, left_out: int = -1, folds: int = 5) -> tuple[list[Record], Wordings]:
    """What `save` wrote, without one of `folds` parts if that is asked for."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        wordings = _wordings(json.loads(file.readline()))
        rows = [line for line in file if zlib.crc32(line.encode()) % folds != left_out]
    return [_record(json.loads(line)) for line in rows], wordings


def _record(row: list) -> Record:  # type: ignore[type-arg]
    source, service, claims, values, text = row
    said = [Said(head, key, tuple(numbers), subject, tuple(worded)) for head, key, numbers, subject, worded in claims]
    items = [int(w[1:]) if w[0] == _VALUE and len(w) > 1 else w for w in text.split(" ")]
    return Record(source, service, said, [tuple(value.split(" ")) for value in values], items)


def _wordings(content: dict) -> Wordings:  # type: ignore[type-arg]
    ways = {key: [(tuple(n), tuple(d)) for n, d in each] for key, each in content["ways"].items()}
    services = {key: [tuple(each) for each in all_] for key, all_ in content["services"].items()}
    return Wordings(ways, services, content["slots"], content["intents"])
