"""Inputs to try: what the page offers and the API's description shows."""

from __future__ import annotations

import json
from typing import Any

from controldag.data import samples
from controldag.generation.checkpoint import Checkpoint
from controldag.generation.examples_to_try import read_examples_to_try
from controldag.generation.settings import Task


def examples_of(checkpoint: Checkpoint) -> list[dict[str, Any]]:
    """Items that a checkpoint says well: those it came with, or else ours for its task."""
    return read_examples_to_try(checkpoint.folder) or examples(checkpoint.settings.task)


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
