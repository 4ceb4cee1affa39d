"""What comes out for JSON lines: an object for each request, a text or an error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from controldag.errors import ControlDagError
from controldag.generation.json_requests import BadLine
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag

CHUNK = 256
"""Requests that are given to a model at a time."""


def records(model: ControlDag, chunk: Sequence[Request | BadLine]) -> Iterator[dict[str, Any]]:
    """A JSON object for each request, in order."""
    results = iter(model.generate_batch([each for each in chunk if isinstance(each, Request)]))
    for each in chunk:
        outcome: Result | ControlDagError = each if isinstance(each, BadLine) else next(results)
        yield outcome.as_dict() if isinstance(outcome, Result) else failed(each.id, outcome)


def failed(identifier: str, error: Exception) -> dict[str, Any]:
    """What stands in the place of a text that there is not."""
    return {"id": identifier, "error": str(error), "kind": type(error).__name__}


def writable(record: dict[str, Any]) -> str:
    """The record as a line of JSON; lone surrogates, which files cannot hold, stay escaped."""
    try:
        line = json.dumps(record, ensure_ascii=False)
        line.encode()
    except UnicodeEncodeError:
        return json.dumps(record)
    return line
