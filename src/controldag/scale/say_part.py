"""One part of a file said by one worker: every line gets its text or its error, whatever happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from controldag.errors import ControlDagError
from controldag.files import atomic_write_text
from controldag.generation.json_requests import BadLine, read_requests
from controldag.generation.request import Request
from controldag.scale.attempts import Attempts
from controldag.scale.job import FileJob
from controldag.scale.parts import Part, lines_of
from controldag.scale.records import CHUNK, failed, writable

Say = Callable[[Sequence[Request | BadLine]], Iterator[dict[str, Any]]]


class InternalFault(ControlDagError):
    """A bug of ours met by one line; the others are not concerned."""


class WorkerDied(ControlDagError):
    """The process that said this line died, more than once."""


def say_part(say: Say, job: FileJob, part: Part, folder: Path) -> dict[str, int]:
    """Writes the part's file, complete or not at all; its first line, which comes back, counts the others."""
    path = folder / part.name
    if path.is_file():  # said by a worker that died before it could tell
        return read_counts(path)
    attempts = Attempts(path.with_suffix(".tries"))
    requests = read_requests(lines_of(part.read(job.source)), job.defaults(), job.shown, first=part.first)
    if attempts.whole:
        attempts.begin_whole()
        found = [record for chunk in _chunks(requests) for record in _said(say, chunk)]
    else:
        found = list(_one_by_one(say, requests, attempts))
    counts = {"lines": len(found), "errors": sum("error" in record for record in found)}
    with atomic_write_text(path) as file:
        for record in (counts, *found):
            file.write(writable(record) + "\n")
    return counts


def read_counts(path: Path) -> dict[str, int]:
    """How many lines a part's file has, and how many of them are errors."""
    with path.open(encoding="utf-8") as file:
        counts: dict[str, int] = json.loads(file.readline())
    return counts


def _chunks(requests: Iterator[Request | BadLine]) -> Iterator[list[Request | BadLine]]:
    while chunk := list(islice(requests, CHUNK)):
        yield chunk


def _said(say: Say, chunk: Sequence[Request | BadLine]) -> list[dict[str, Any]]:
    try:
        return list(say(chunk))
    except Exception as error:
        if len(chunk) == 1:
            return [failed(chunk[0].id, InternalFault(f"{type(error).__name__}: {error}"))]
    return [record for each in chunk for record in _said(say, [each])]


def _one_by_one(say: Say, requests: Iterator[Request | BadLine], attempts: Attempts) -> Iterator[dict[str, Any]]:
    for place, request in enumerate(requests):
        if attempts.deadly(place):
            yield failed(request.id, WorkerDied("The process died on this line, twice.", remedy="Leave it out."))
            continue
        attempts.begin(place)
        yield from _said(say, [request])
        attempts.end(place)
