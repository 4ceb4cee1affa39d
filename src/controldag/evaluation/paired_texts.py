"""Texts with the record that each is about: in the order of the data file, or found by `id`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controldag.data.records import Example
from controldag.errors import DataError
from controldag.evaluation.system_outputs import output_lines, output_record, read_outputs


def read_pairs(path: Path, examples: Sequence[Example], limit: int | None = None) -> list[tuple[Example, str]]:
    """The first `limit` texts of a file, each with its record.

    Where every line is an object with an `id`, lines may stand in any order, some records may have several texts and
    others none. Other files have one text for each record, as `read_outputs` wants it.
    """
    if ".jsonl" in path.suffixes:
        records = [output_record(line, path, number) for number, line in enumerate(output_lines(path), start=1)]
        ids = [record.get("id") for record in records]
        if ids and all(ids) and ids != [example.id for example in examples]:
            return _by_id(path, records[:limit], examples)
    return list(zip(examples[:limit], read_outputs(path, examples, limit).texts, strict=True))


def _by_id(path: Path, records: Sequence[dict[str, Any]], examples: Sequence[Example]) -> list[tuple[Example, str]]:
    known: dict[object, Example] = {}
    ambiguous: set[object] = set()
    for example in examples:
        first = known.setdefault(example.id, example)
        if _content(first) != _content(example):
            ambiguous.add(example.id)
    pairs = []
    for number, record in enumerate(records, start=1):
        wanted = str(record["id"])
        if wanted not in known:
            message, remedy = f"{wanted!r} is the id of no record.", "Name the data file that the texts are about."
            raise DataError(message, path=path, line=number, field="id", remedy=remedy)
        if wanted in ambiguous:
            message, remedy = f"{wanted!r} is the id of several records.", "Give every record an id of its own."
            raise DataError(message, path=path, line=number, field="id", remedy=remedy)
        pairs.append((known[wanted], record["text"]))
    return pairs


def _content(example: Example) -> tuple[object, ...]:
    return example.service, example.acts, example.triples
