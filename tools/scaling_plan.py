"""The rows of docs/scaling.md that say what a billion utterances cost, from the figures in benchmarks/results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
SOURCES = {"core": RESULTS / "end-to-end-cpu.json", "GPU": RESULTS / "end-to-end.json"}
UTTERANCES = 1_000_000_000


def row(unit: str) -> str:
    """The row of one core or one GPU at the batch size that gives most texts; without figures it says so."""
    path = SOURCES[unit]
    if not path.is_file():
        return f"| one {unit} | not measured yet (`benchmarks/results/{path.name}` will have it) | | | |"
    figures: dict[str, Any] = json.loads(path.read_text("utf-8"))["figures"]
    batches = figures["systems"]["control-dag"]["batches"]
    batch, best = max(batches.items(), key=lambda each: each[1]["utterances_per_s"])
    threads = figures["threads"] if unit == "core" else 1
    rate = best["utterances_per_s"] / threads
    hours = UTTERANCES / rate / 3600
    settings = f"{figures['model']}, {figures['precision']}, batch {batch}"
    return f"| one {unit} | {settings} | {rate:,.1f} | {hours:,.0f} | {hours / 24 / 1000:,.2f} |"


if __name__ == "__main__":
    for name in SOURCES:
        print(row(name))
