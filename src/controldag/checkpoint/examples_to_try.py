"""Inputs that come with a checkpoint, for a page or a person to try: `examples.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from controldag.data.act_syntax import write_act, write_triple
from controldag.data.records import Example
from controldag.files import atomic_write_text

FILE = "examples.jsonl"
_MOST = 8


def write_examples_to_try(folder: Path, examples: Iterable[Example]) -> None:
    """Writes a few inputs of different kinds, without their references, as `controldag generate --in` reads them."""
    chosen: dict[tuple[object, ...], Example] = {}
    for example in examples:
        kind = (example.service, *((act.act, act.slot) for act in example.acts), len(example.triples))
        chosen.setdefault(kind, example)
        if len(chosen) == _MOST:
            break
    with atomic_write_text(folder / FILE) as file:
        for example in chosen.values():
            file.write(json.dumps(item_of(example), ensure_ascii=False) + "\n")


def read_examples_to_try(folder: Path) -> list[dict[str, Any]]:
    """The inputs in a checkpoint's folder; none where it has no such file."""
    path = folder / FILE
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


def item_of(example: Example) -> dict[str, Any]:
    """The input as an item of a request."""
    if example.triples:
        return {"id": example.id, "triples": [write_triple(triple) for triple in example.triples]}
    return {"id": example.id, "service": example.service, "acts": [write_act(act) for act in example.acts]}
