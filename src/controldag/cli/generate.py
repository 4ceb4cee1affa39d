"""`controldag generate`: say acts or triples, one input from the line or many from JSON lines."""

from __future__ import annotations

import io
import sys
from collections import Counter
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from controldag.cli import request_options as asked
from controldag.cli.console import ExitCode, Json, Quiet, out, print_json, remark
from controldag.cli.data_input import found
from controldag.errors import ControlDagError, InvalidInput, MissingDependency
from controldag.files import atomic_write_text
from controldag.generation.json_requests import read_requests
from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from controldag.scale.job import FileJob
from controldag.scale.parts import open_lines
from controldag.scale.records import CHUNK, records, writable


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
    in_order: asked.InOrder = None,
    pattern: asked.Patterns = None,
    prefer: asked.Prefer = None,
    length: asked.LengthWish = "",
    n_best: asked.NBest = 1,
    decoder: asked.Decoder = "",
    trust: asked.Trust = "",
    variant: asked.Variant = "",
    schema: asked.Schemas = None,
    templates: asked.TemplateFolder = None,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    like: asked.Like = "",
    ray: Annotated[
        str, typer.Option(help="Say --in on this Ray cluster: its address, or `local` for one of this machine.")
    ] = "",
    workers: Annotated[int, typer.Option(min=0, help="Processes on the cluster; 0: as many as fit.")] = 0,
    worker_cpus: Annotated[int, typer.Option(min=1, help="Cores of each of them.")] = 1,
    part: Annotated[int, typer.Option(min=1, help="Lines that a worker says, and keeps, at a time.")] = 1024,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say dialogue acts or triples so that every required value stands in the text."""
    if bool(inputs) == (lines is not None):
        raise InvalidInput("Give acts or triples, or --in with JSON lines.", remedy="See `controldag generate --help`.")
    wishes = asked.wishes_of(must, must_any, must_not, in_order, pattern, prefer)
    chosen = asked.choice(model, device, schema, templates, precision=precision, like=like, variant=variant)
    if ray:
        if lines is None or to is None or str(lines) == "-":
            raise InvalidInput("--ray needs --in and --out with the names of files.", remedy="Give both.")
        job = FileJob(
            source=found(lines).absolute(),
            shown=str(lines),
            out=to.absolute(),
            model=chosen.absolute(),
            service=service,
            wishes=wishes,
            length=length,
            n_best=n_best,
            decoder=decoder,
            trust=trust,
            part=part,
        )
        _many_on_ray(job, ray, workers, worker_cpus, quiet=quiet)
        return
    defaults = Request(inputs or (), service, wishes.constraint(), length, n_best, decoder, trust=trust)
    # What is wrong with the input is told before the model is loaded.
    if lines is None:
        defaults.example()
    elif str(lines) != "-":
        found(lines)
    loaded = ControlDag.from_choice(chosen)
    if lines is None:
        _one(loaded, defaults, quiet=quiet, as_json=as_json)
    else:
        _many(loaded, defaults, lines, to, quiet=quiet)


def _one(model: ControlDag, request: Request, *, quiet: bool, as_json: bool) -> None:
    result = model.generate_batch([request])[0]
    if isinstance(result, ControlDagError):
        raise result
    if as_json:
        print_json(result.as_dict())
        return
    asked.warn(result, quiet=quiet)
    # The text comes first, wherever it is from: the search's own list may hold what the verifier refuses.
    texts = list(dict.fromkeys((result.text, *(each.text for each in result.n_best))))
    for text in texts[: request.n_best]:
        out.print(text, markup=False, soft_wrap=True)


def _many(model: ControlDag, defaults: Request, lines: Path, to: Path | None, *, quiet: bool) -> None:
    """Streams: at most a chunk of requests is in memory. A bad line becomes a line with its error."""
    counts: Counter[str] = Counter()
    with _reading(lines) as source, atomic_write_text(to) if to else nullcontext(sys.stdout) as sink:
        requests = read_requests(source, defaults, "stdin" if str(lines) == "-" else str(lines))
        while chunk := list(islice(requests, CHUNK)):
            for record in records(model, chunk):
                counts["error" if "error" in record else "ok"] += 1
                sink.write(writable(record) + "\n")
            sink.flush()
            remark(f"{counts.total():,} done, {counts['error']:,} with an error", quiet=quiet)
    _leave(counts["error"])


def _reading(path: Path) -> Any:
    if str(path) == "-":
        return nullcontext(_stdin())
    return open_lines(found(path))


def _stdin() -> TextIO:
    # As files are read.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    return sys.stdin


def _many_on_ray(job: FileJob, address: str, workers: int, worker_cpus: int, *, quiet: bool) -> None:
    """As `_many`, by the workers of a cluster; a run that was killed is gone on with."""
    try:
        from controldag.scale.on_ray import Cluster, generate_on_ray
    except ImportError as error:
        raise MissingDependency.of("Ray", "ray", "A cluster") from error

    def told(done: int, total: int, errors: int) -> None:
        remark(f"{done:,} of {total:,} lines done, {errors:,} with an error", quiet=quiet)

    counts = generate_on_ray(job, Cluster(address=address, workers=workers, worker_cpus=worker_cpus), told)
    _leave(counts["errors"])


def _leave(errors: int) -> None:
    if errors:
        raise typer.Exit(ExitCode.BAD_INPUT)
