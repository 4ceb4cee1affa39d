"""What a system said for each record of a data file, and the files that keep it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from controldag.data.lines import compression_errors, open_bytes
from controldag.data.records import Example
from controldag.errors import DataError, InvalidInput
from controldag.files import atomic_write_text

NO_TEXT = ("Infeasible", "NothingFound")
"""Errors of a decoder that found no text: where the paper's code falls back to another search in silence."""
_LATENCIES = {"p50_ms": 50, "p95_ms": 95, "p99_ms": 99}


@dataclass(frozen=True, slots=True)
class Output:
    """One text.

    error: its kind, where there is none. ms: how long it took, if known; stages: of that, by stage. origin: where it
    came from (`graph`, `plain` and so on), where the system tells.
    """

    text: str
    error: str = ""
    ms: float | None = None
    stages: dict[str, float] | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Texts in the order of the records. timing: how `ms` was taken. known: whether errors would have been told."""

    items: tuple[Output, ...]
    timing: str = ""
    known: bool = True

    @property
    def texts(self) -> list[str]:
        return [item.text for item in self.items]

    @property
    def failures(self) -> dict[str, int]:
        """How often each kind of error came instead of a text."""
        return dict(Counter(item.error for item in self.items if item.error))

    @property
    def fallbacks(self) -> int | None:
        """How often the decoder found no text; None where the outputs do not tell."""
        return sum(self.failures.get(kind, 0) for kind in NO_TEXT) if self.known else None


def latency(outputs: Outputs) -> dict[str, Any]:
    """Percentiles of the time of a text, and the median of each stage; None where no times are known."""
    times = [item.ms for item in outputs.items if item.ms is not None]
    if not times:
        return {**dict.fromkeys(_LATENCIES), "stages_ms": {}}
    found: dict[str, Any] = {
        name: round(float(np.percentile(times, percent)), 3) for name, percent in _LATENCIES.items()
    }
    stages: dict[str, list[float]] = {}
    for item in outputs.items:
        for stage, ms in (item.stages or {}).items():
            stages.setdefault(stage, []).append(ms)
    return {**found, "stages_ms": {stage: round(float(np.median(each)), 3) for stage, each in stages.items()}}


def write_outputs(path: Path, examples: Sequence[Example], outputs: Outputs) -> None:
    """Writes JSON lines: `id`, `text`, and `error`, `origin`, `ms` and `timing` where there are such."""
    with atomic_write_text(path) as file:
        for example, item in zip(examples, outputs.items, strict=True):
            record: dict[str, Any] = {"id": example.id, "text": item.text}
            if item.error:
                record["error"] = item.error
            if item.origin:
                record["origin"] = item.origin
            if item.ms is not None:
                record |= {"ms": round(item.ms, 3), "timing": outputs.timing}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_outputs(path: Path, examples: Sequence[Example], limit: int | None = None) -> Outputs:
    """The outputs for the first `limit` examples: JSON lines with `text` if the name says `.jsonl`, else plain lines.

    There has to be one for each example, or for each of the first `limit`; an `id` that is given has to be its own.
    """
    lines = output_lines(path)
    wanted = examples[:limit]
    if len(lines) not in (len(wanted), len(examples)):
        either = f" (or {len(wanted):,}, the limit)" if len(wanted) < len(examples) else ""
        rule = f"have {len(examples):,} lines, one for each record{either}"
        raise InvalidInput.of("outputs", rule, len(lines), remedy="Check that both files belong together.")
    lines = lines[: len(wanted)]
    if ".jsonl" not in path.suffixes:
        return Outputs(tuple(Output(line) for line in lines), known=False)
    records = [
        _record_of(example, line, path, number)
        for number, (line, example) in enumerate(zip(lines, wanted, strict=True), start=1)
    ]
    timed = all(isinstance(record.get("ms"), int | float) for record in records)
    timing = str(records[0].get("timing", "as the outputs file says")) if timed else ""
    return Outputs(tuple(_output(record, timed=timed) for record in records), timing)


def _output(record: dict[str, Any], *, timed: bool) -> Output:
    origin = str(record.get("origin") or "")
    return Output(record["text"], str(record.get("error", "")), record["ms"] if timed else None, origin=origin)


def output_lines(path: Path) -> list[str]:
    """All lines, blank ones too: an empty text is an answer, and a bad one."""
    with open_bytes(path) as stream, compression_errors(path, [1]):
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"byte {error.start + 1} is not UTF-8.", path=path, remedy="Save it as UTF-8.") from None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def output_record(line: str, path: Path, number: int) -> dict[str, Any]:
    """One line of a file of outputs as an object whose `text` is a string: empty where there is an error instead."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"invalid JSON: {error}.", path=path, line=number, remedy="Write an object a line.") from None
    if not isinstance(record, dict):
        raise DataError("must be an object.", path=path, line=number, remedy='Write {"id": ..., "text": ...}.')
    if "error" in record:
        # A line of `controldag generate` that holds an error names its kind apart.
        record["error"] = record.get("kind", record["error"])
        record.setdefault("text", "")
    if not isinstance(record.get("text"), str):
        raise DataError("must be a string.", path=path, line=number, field="text", remedy="Write what was said.")
    return record


def _record_of(example: Example, line: str, path: Path, number: int) -> dict[str, Any]:
    record = output_record(line, path, number)
    if record.get("id", example.id) not in ("", example.id):
        message = f"is {record['id']!r}, but the record's is {example.id!r}."
        raise DataError(message, path=path, line=number, field="id", remedy="Keep the order of the data file.")
    return record
