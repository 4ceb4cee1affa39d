"""How well a verifier agrees with readers: the area under its curve on texts that people judged."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

MEANING = frozenset({"role", "omitted", "invented"})
# What the columns of a sheet are called among the labels.
_COLUMNS = {"omitted": "omitted", "invented": "invented", "ungrammatical": "broken", "doubled": "doubled"}


def auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """The chance that a good text has a higher score than a bad one; a tie counts half."""
    if not good or not bad:
        return float("nan")
    order = np.concatenate([np.asarray(good), np.asarray(bad)])
    ranks = np.empty(len(order))
    _, inverse, counts = np.unique(order, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks[:] = (ends - (counts - 1) / 2)[inverse]
    wins = ranks[: len(good)].sum() - len(good) * (len(good) + 1) / 2
    return float(wins / (len(good) * len(bad)))


def read_judged(path: Path, inputs: Path) -> list[tuple[dict[str, object], dict[str, object]]]:
    """Each judged text with the record of its input."""
    return _with_inputs([json.loads(line) for line in path.read_text("utf-8").splitlines()], inputs)


def read_sheets(folder: Path, inputs: Path) -> list[tuple[dict[str, object], dict[str, object]]]:
    """The same of the sheets that readers filled in: `NAME.csv`, and which texts they are in `NAME.key.csv`."""
    rows: list[dict[str, object]] = []
    for keys in sorted(folder.glob("*.key.csv")):
        with (
            keys.open(encoding="utf-8") as a,
            keys.with_name(keys.name.replace(".key", "")).open(encoding="utf-8") as b,
        ):
            for key, row in zip(csv.DictReader(a), csv.DictReader(b), strict=True):
                labels = [label for column, label in _COLUMNS.items() if row[column] == "1"]
                rows.append({"id": key["id"], "system": key["system"], "text": row["text"], "labels": labels})
    return _with_inputs(rows, inputs)


def _with_inputs(rows: list[dict[str, object]], inputs: Path) -> list[tuple[dict[str, object], dict[str, object]]]:
    wanted = {row["id"] for row in rows}
    with gzip.open(inputs, "rt", encoding="utf-8") as file:
        records = {record["id"]: record for record in map(json.loads, file) if record["id"] in wanted}
    return [(row, records[row["id"]]) for row in rows]


def by_fault(rows: Iterable[tuple[Sequence[str], float]], faults: frozenset[str]) -> tuple[list[float], list[float]]:
    """Scores of the texts without any of these faults, and of those with one."""
    good: list[float] = []
    bad: list[float] = []
    for labels, score in rows:
        (bad if faults & set(labels) else good).append(score)
    return good, bad


def table(scores: Mapping[str, Sequence[tuple[Sequence[str], float]]], faults: frozenset[str]) -> dict[str, float]:
    """The area by system, and over all of them."""
    found = {system: auc(*by_fault(rows, faults)) for system, rows in scores.items()}
    everything = [row for rows in scores.values() for row in rows]
    return {**found, "all": auc(*by_fault(everything, faults))}
