"""`controldag generate`: say acts or triples, one input from the line or many from JSON lines."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from controldag.cli import request_options as asked
from controldag.cli.console import ExitCode, Json, Quiet, out, print_json, remark
from controldag.cli.data_input import found
from controldag.errors import ControlDagError, InvalidInput
from controldag.files import atomic_write_text
from controldag.generation.json_requests import BadLine, read_requests
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag

_CHUNK = 256


def generate(
    inputs: asked.Inputs = None,
    model: asked.Model = asked.DEFAULT_MODEL,
    service: asked.Service = "",
    lines: Annotated[
        Path | None, typer.Option("--in", help="JSON lines to generate for instead; `-` reads standard input.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Where JSON lines go; default: stdout.")] = None,
    must: asked.Must = None,
    must_any: asked.MustAny = None,
    must_not: asked.MustNot = None,
    pattern: asked.Patterns = None,
    length: asked.LengthWish = "",
    n_best: asked.NBest = 1,
    decoder: asked.Decoder = "",
    schema: asked.Schemas = None,
    templates: asked.TemplateFolder = None,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    like: asked.Like = "",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say dialogue acts or triples so that every required value stands in the text."""
    if bool(inputs) == (lines is not None):
        raise InvalidInput("Give acts or triples, or --in with JSON lines.", remedy="See `controldag generate --help`.")
    wishes = asked.wishes_of(must, must_any, must_not, pattern, length)
    what = asked.parsed(inputs) if inputs else ()
    defaults = Request(what, service, wishes.constraint(), wishes.bounds(), n_best, decoder)
    loaded = asked.load(model, device, schema, templates, precision=precision, like=like)
    if lines is None:
        _one(loaded, defaults, as_json=as_json)
    else:
        _many(loaded, defaults, lines, to, quiet=quiet)


def _one(model: ControlDag, request: Request, *, as_json: bool) -> None:
    result = model.generate_batch([request])[0]
    if isinstance(result, ControlDagError):
        raise result
    if as_json:
        print_json(result.as_dict())
        return
    for each in result.n_best or (result,):
        out.print(each.text, markup=False, soft_wrap=True)


def _many(model: ControlDag, defaults: Request, lines: Path, to: Path | None, *, quiet: bool) -> None:
    """Streams: at most a chunk of requests is in memory. A bad line becomes a line with its error."""
    counts: Counter[str] = Counter()
    with _reading(lines) as source, atomic_write_text(to) if to else nullcontext(sys.stdout) as sink:
        requests = read_requests(source, defaults, "stdin" if str(lines) == "-" else str(lines))
        while chunk := list(islice(requests, _CHUNK)):
            for record in _records(model, chunk):
                counts["error" if "error" in record else "ok"] += 1
                sink.write(_writable(record) + "\n")
            sink.flush()
            remark(f"{counts.total():,} done, {counts['error']:,} with an error", quiet=quiet)
    if counts["error"]:
        raise typer.Exit(ExitCode.BAD_INPUT)


def _reading(path: Path) -> Any:
    if str(path) == "-":
        return nullcontext(_stdin())
    return found(path).open(encoding="utf-8", errors="surrogateescape")


def _stdin() -> TextIO:
    # As files are read: bytes that are no UTF-8 make a line bad, not the whole stream.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    return sys.stdin


def _records(model: ControlDag, chunk: Iterable[Request | BadLine]) -> Iterator[dict[str, Any]]:
    """A JSON object for each request, in order."""
    chunk = list(chunk)
    results = iter(model.generate_batch([each for each in chunk if isinstance(each, Request)]))
    for each in chunk:
        outcome: Result | ControlDagError = each if isinstance(each, BadLine) else next(results)
        if isinstance(outcome, Result):
            yield outcome.as_dict()
        else:
            yield {"id": each.id, "error": str(outcome), "kind": type(outcome).__name__}


def _writable(record: dict[str, Any]) -> str:
    """The record as a line of JSON; lone surrogates, which files cannot hold, stay escaped."""
    try:
        line = json.dumps(record, ensure_ascii=False)
        line.encode()
    except UnicodeEncodeError:
        return json.dumps(record)
    return line
