"""`controldag generate`: say acts or triples, one input from the line or many from JSON lines."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from controldag.cli.console import ExitCode, Json, Quiet, out, print_json, remark
from controldag.cli.data_input import found
from controldag.data.act_syntax import parse_input
from controldag.data.records import Act, Triple
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.errors import ControlDagError, InvalidInput
from controldag.files import atomic_write_text
from controldag.generation.json_requests import read_requests
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.generation.wishes import Wishes
from controldag.pipeline import ControlDag

_CHUNK = 256


def generate(
    inputs: Annotated[
        list[str] | None, typer.Argument(help="Acts `OFFER(city=San Jose)` or triples `subject | relation | object`.")
    ] = None,
    model: Annotated[str, typer.Option(help="A bundled model (sgd-mini, dart-mini) or a folder.")] = "sgd-mini",
    service: Annotated[str, typer.Option(help="The service that the acts belong to.")] = "",
    lines: Annotated[
        Path | None, typer.Option("--in", help="JSON lines to generate for instead; `-` reads standard input.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Where JSON lines go; default: stdout.")] = None,
    must: Annotated[list[str] | None, typer.Option(help="A phrase the text must hold; repeat it.")] = None,
    must_any: Annotated[list[str] | None, typer.Option(help="Phrases with `|` between: one of them.")] = None,
    must_not: Annotated[list[str] | None, typer.Option(help="A phrase the text must not hold.")] = None,
    pattern: Annotated[list[str] | None, typer.Option(help="A regular expression with a match in the text.")] = None,
    length: Annotated[str, typer.Option(help="In tokens: 18 (target), =18 (exactly), 10-20 or 10- (bounds).")] = "",
    n_best: Annotated[int, typer.Option(min=1, help="How many texts.")] = 1,
    decoder: Annotated[str, typer.Option(help="By name: greedy, control-dag, ...; default: the model's.")] = "",
    schema: Annotated[list[Path] | None, typer.Option(help="Your own services: a schema.json; repeat it.")] = None,
    templates: Annotated[Path | None, typer.Option(help="Folder of templates, for the decoder `templates`.")] = None,
    device: Annotated[str, typer.Option(help="Where the model runs: cpu, cuda.")] = "cpu",
    precision: Annotated[str, typer.Option(help="float32, bfloat16 or int8; default: float32, on cuda bfloat16.")] = "",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say dialogue acts or triples so that every required value stands in the text."""
    wishes = Wishes(
        must=must or (),
        must_any=[group.split("|") for group in must_any or ()],
        must_not=must_not or (),
        patterns=pattern or (),
        length=length,
    )
    if bool(inputs) == (lines is not None):
        raise InvalidInput("Give acts or triples, or --in with JSON lines.", remedy="See `controldag generate --help`.")
    what = _parsed(inputs) if inputs else ()
    defaults = Request(what, service, wishes.constraint(), wishes.bounds(), n_best, decoder)
    loaded = ControlDag.from_pretrained(
        model,
        device=device,
        precision=precision,
        schema=Schema.load(*map(found, schema)) if schema else None,
        templates=Templates.load(found(templates)) if templates else None,
    )
    if lines is None:
        _one(loaded, defaults, as_json=as_json)
    else:
        _many(loaded, defaults, lines, to, quiet=quiet)


def _parsed(inputs: list[str]) -> tuple[Act, ...] | tuple[Triple, ...]:
    members = [parse_input(text) for text in inputs]
    acts = tuple(each for each in members if isinstance(each, Act))
    triples = tuple(each for each in members if isinstance(each, Triple))
    if acts and triples:
        raise InvalidInput("Acts and triples cannot be mixed in one input.", remedy="Give one kind.")
    return acts or triples


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
                sink.write(json.dumps(record, ensure_ascii=False) + "\n")
            sink.flush()
            remark(f"{counts.total():,} done, {counts['error']:,} with an error", quiet=quiet)
    if counts["error"]:
        raise typer.Exit(ExitCode.BAD_INPUT)


def _reading(path: Path) -> Any:
    if str(path) == "-":
        return nullcontext(_stdin())
    return found(path).open(encoding="utf-8", errors="surrogateescape")


def _stdin() -> TextIO:
    return sys.stdin


def _records(model: ControlDag, chunk: Iterable[Request | ControlDagError]) -> Iterator[dict[str, Any]]:
    """A JSON object for each request, in order."""
    chunk = list(chunk)
    results = iter(model.generate_batch([each for each in chunk if isinstance(each, Request)]))
    for each in chunk:
        outcome: Result | ControlDagError = each if isinstance(each, ControlDagError) else next(results)
        if isinstance(outcome, Result):
            yield outcome.as_dict()
        else:
            name = each.id if isinstance(each, Request) else ""
            yield {"id": name, "error": str(outcome), "kind": type(outcome).__name__}
