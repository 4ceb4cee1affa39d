"""Small made-up samples of both tasks: what the demo shows and the tests read where no data set is at hand."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

FOLDER = Path(str(resources.files(__name__)))
ACTS = FOLDER / "sgd.jsonl"
TRIPLES = FOLDER / "dart.jsonl"
SCHEMA = FOLDER / "schema.json"
TEMPLATES = FOLDER
# What `controldag demo` says with the bundled models.
DEMO_ACTS = FOLDER / "demo_acts.jsonl"
DEMO_TRIPLES = FOLDER / "demo_triples.jsonl"
