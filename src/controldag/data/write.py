"""Examples written as compact JSON lines, the form that every reader of this package takes back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from controldag.data.records import Example
from controldag.files import atomic_write_text


def record_of(example: Example) -> dict[str, Any]:
    """The compact record of an example; reading it gives the example back."""
    if example.triples:
        return _without_empty(
            id=example.id,
            tripleset=[[triple.subject, triple.relation, triple.object] for triple in example.triples],
            references=list(example.references),
            source=list(example.sources),
        )
    acts = [{"act": act.act, "slot": act.slot, "values": list(act.values)} for act in example.acts]
    record = _without_empty(id=example.id, service=example.service, dialog_acts=acts, context=list(example.context))
    if len(example.references) == 1:
        record["target"] = example.target
    elif example.references:
        record["references"] = list(example.references)
    return record


def write_examples(path: str | Path, examples: Iterable[Example]) -> int:
    """How many examples were written to `path` (gzip by its suffix); on an error nothing is left there."""
    count = 0
    with atomic_write_text(path) as file:
        for example in examples:
            file.write(json.dumps(record_of(example), ensure_ascii=False) + "\n")
            count += 1
    return count


def _without_empty(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != []}
