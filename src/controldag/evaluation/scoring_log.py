"""The log of test data: a line for every time it was scored, so that it shows how often and with what."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controldag.data.lines import open_bytes
from controldag.files import append_line
from controldag.run_record import circumstances

DEFAULT = Path("results", "test-log.jsonl")
_KEPT = ("n", "bleu", "bp", "bleu_single", "ser", "ser_strict", "eor", "neo", "neo_independent", "unsupported", "empty")


def is_test(data: Path) -> bool:
    """Whether a data file is test data by its name: `test.jsonl.gz`, `test_full.jsonl`, `dart-test.xml`."""
    return "test" in data.name.replace("-", "_").replace(".", "_").split("_")


def log_scoring(path: Path, data: Path, system: Mapping[str, Any], report: Mapping[str, Any]) -> int:
    """How often this data had been scored before; appends what was scored now."""
    digest = _digest(data)
    earlier = [json.loads(line)["data_sha256"] for line in _lines(path)].count(digest)
    entry = {
        "data": data.name,
        "data_sha256": digest,
        "system": dict(system),
        "figures": {name: report[name] for name in _KEPT},
        "scored_before": earlier,
        **circumstances(),
    }
    append_line(path, json.dumps(entry, ensure_ascii=False))
    return earlier


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.is_file() else []


def _digest(data: Path) -> str:
    """SHA-256 of the content, however it is compressed."""
    with open_bytes(data) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
