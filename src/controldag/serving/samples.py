"""Inputs to try: what the page offers and the API's description shows."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from controldag.checkpoint.examples_to_try import item_of, read_examples_to_try
from controldag.checkpoint.settings import Task
from controldag.data import samples
from controldag.generation.sample_turns import sample_turns
from controldag.pipeline import ControlDag

# Of a schema with many services, so many are shown by example.
_SERVICES = 3


def examples_of(model: ControlDag) -> list[dict[str, Any]]:
    """Items that a model can say: those its checkpoint came with, ours for its task, or turns of its services."""
    checkpoint, schema = model.checkpoint, model.schema
    items = read_examples_to_try(checkpoint.folder) or examples(model.settings.task)
    if model.settings.task == "triples" or schema is None:
        return items
    fitting = [item for item in items if item["service"] in schema.services]
    own = (turn for service in islice(schema.services.values(), _SERVICES) for turn in sample_turns(service))
    return fitting or [item_of(turn) for turn in own]


def examples(task: Task) -> list[dict[str, Any]]:
    """Items of a model's task, of our own making."""
    path = samples.DEMO_ACTS if task == "acts" else samples.DEMO_TRIPLES
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def generate_examples() -> dict[str, Any]:
    """Requests as OpenAPI names them."""
    acts, triples = examples("acts"), examples("triples")
    return {
        "acts": {"summary": "One text for dialogue acts", "value": {"items": acts[:1]}},
        "constraints": {
            "summary": "More demands than the input's own",
            "value": {
                "items": [{**acts[0], "must": ["restaurant"], "must_not": ["eat"], "length": "8-24", "n_best": 3}]
            },
        },
        "many": {"summary": "Several items at once", "value": {"items": acts[:3], "deadline_ms": 5000}},
        "triples": {"summary": "Triples, for a model that reads them", "value": {"items": triples[:1]}},
    }


def inspect_examples() -> dict[str, Any]:
    return {"flight": {"summary": "A flight, when it leaves and what it costs", "value": {"item": examples("acts")[3]}}}
