"""Texts for a person to judge blind: a shuffled sheet, the key apart, and the counts once labels are in."""

from __future__ import annotations

import csv
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.errors import DataError, InvalidInput
from controldag.files import atomic_write_text

LABELS = ("omitted", "invented", "ungrammatical", "doubled")
"""What a reader marks with 1 (there is such a fault) or 0: a value left out or wrong; something said that the input
does not hold; no English sentence; something said twice."""
_SHEET = ("item", "service", "input", "text", *LABELS, "note")
_KEY = ("item", "system", "id")
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Drawing:
    """texts: records drawn, each with the text of every system. seed: of the draw and of the order."""

    texts: int = 200
    seed: int = 0


def draw(sheet: Path, key: Path, examples: Sequence[Example], texts: Mapping[str, Sequence[str]], how: Drawing) -> int:
    """Writes sheet and key; returns how many items there are. The same records for every system, order shuffled."""
    chance = random.Random(how.seed)
    if len(examples) < how.texts:
        raise InvalidInput.of("--n", f"be at most {len(examples):,}, the records to draw from", how.texts)
    chosen = chance.sample(range(len(examples)), how.texts)
    pairs = [(system, index) for system in texts for index in chosen]
    chance.shuffle(pairs)
    with atomic_write_text(sheet) as items, atomic_write_text(key) as secret:
        blind, known = csv.writer(items, lineterminator="\n"), csv.writer(secret, lineterminator="\n")
        blind.writerow(_SHEET)
        known.writerow(_KEY)
        for number, (system, index) in enumerate(pairs, start=1):
            example = examples[index]
            shown = "; ".join(written(example))
            blind.writerow([number, example.service, shown, texts[system][index], *[""] * (len(LABELS) + 1)])
            known.writerow([number, system, example.id])
    return len(pairs)


def count(sheet: Path, key: Path) -> dict[str, Any]:
    """By system: texts read and left, and for each label and any of them how many, in percent, with its 95 % interval.

    A text is read if one of its labels is filled in; an empty one then means 0.
    """
    systems = {row["item"]: row["system"] for row in _rows(key, _KEY)}
    read: dict[str, list[dict[str, bool]]] = {system: [] for system in systems.values()}
    left = dict.fromkeys(read, 0)
    items = _rows(sheet, _SHEET)
    if {row["item"] for row in items} != set(systems) or len(items) != len(systems):
        raise DataError("does not hold the items of the key, each once.", path=sheet, remedy="Name its own key.")
    for row in items:
        system = systems[row["item"]]
        if any(row[label].strip() for label in LABELS):
            read[system].append({label: _flag(row, label, sheet) for label in LABELS})
        else:
            left[system] += 1
    return {system: {"read": len(rows), "left": left[system], **_figures(rows)} for system, rows in read.items()}


def _figures(rows: Sequence[Mapping[str, bool]]) -> dict[str, Any]:
    figures = {}
    for label in (*LABELS, "any"):
        hits = sum(any(row.values()) if label == "any" else row[label] for row in rows)
        share = {"percent": round(100 * hits / len(rows), 2), "interval": _wilson(hits, len(rows))} if rows else {}
        figures[label] = {"count": hits, **share}
    return figures


def _wilson(hits: int, out_of: int) -> list[float]:
    """The 95 % interval of a share, in percent (Wilson 1927): also right for none and for all."""
    share, z = hits / out_of, _NORMAL_95
    middle = share + z * z / (2 * out_of)
    half = z * math.sqrt(share * (1 - share) / out_of + z * z / (4 * out_of * out_of))
    whole = 1 + z * z / out_of
    return [round(100 * max(0.0, middle - half) / whole, 2), round(100 * min(whole, middle + half) / whole, 2)]


def _flag(row: Mapping[str, str], label: str, path: Path) -> bool:
    value = row[label].strip()
    if value not in ("", "0", "1"):
        raise DataError(f"must be 0, 1 or empty, but is {value!r}.", path=path, field=f"{label} of item {row['item']}")
    return value == "1"


def _rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != tuple(columns):
            raise DataError(
                f"must have the columns {', '.join(columns)}.", path=path, remedy="Draw it with `reading draw`."
            )
        return [{name: value or "" for name, value in row.items()} for row in reader]
