"""`controldag bench runtime`: whether models give the same without torch as with it, and how fast both are."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from benchmarks.end_to_end.command import track
from benchmarks.runtime.run import RuntimeOptions, bench_runtime
from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.cli.data_input import found
from controldag.data.read import read_examples
from controldag.data.schema import Schema, find_schemas
from controldag.errors import MissingDependency
from controldag.pipeline import ControlDag
from controldag.run_record import write_result


def bench_runtime_command(
    model: Annotated[str, typer.Option(help="A bundled model or a folder.")] = "sgd-mini",
    data: Annotated[Path | None, typer.Option("--data", help="Examples; default: sgd/dev of the data folder.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many of them, from the start.")] = 500,
    every: Annotated[int, typer.Option(min=1, help="Take every so many records only.")] = 1,
    like: Annotated[str, typer.Option(help="For a folder fresh from training: whose settings it takes.")] = "",
    as_json: Json = False,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the figures in this file.")] = None,
    quiet: Quiet = False,
) -> None:
    """Check a folder's model and the verifier without torch against PyTorch: graphs, texts, verdicts, milliseconds."""
    try:
        import controldag.model.inference.predict  # noqa: F401
    except ImportError as error:
        raise MissingDependency.of("torch and transformers", "model", "This benchmark") from error
    loaded = ControlDag.from_pretrained(model, like=like)
    file = found(data or Path("sgd", "dev.jsonl.gz"))
    schemas = find_schemas(file)
    schema = Schema.load(*schemas) if schemas else loaded.knowledge.schema
    examples = list(islice(read_examples(file, schema=schema), 0, limit * every, every))
    figures = {"model": model} | bench_runtime(loaded, examples, RuntimeOptions(), partial(track, quiet=quiet))
    if to is not None:
        write_result(to, figures, {"model": model, "data": file.name, "limit": limit, "every": every})
        remark(f"figures kept in {to}", quiet=quiet)
    if as_json:
        print_json(figures)
        return
    out.print(_speeds(figures))
    out.print(_agreement(figures))


def _speeds(figures: dict[str, Any]) -> Table:
    by_threads, verifier = figures["forward_p50_ms"], figures["verifier"]
    columns = {f"forward pass, threads: {threads}": times for threads, times in by_threads.items()}
    columns |= {f"{verifier['texts']} texts verified": verifier["p50_ms"], "one": verifier["one_text_p50_ms"]}
    table = Table("median ms", *columns, box=SIMPLE)
    for name in dict.fromkeys(name for times in columns.values() for name in times):
        table.add_row(name, *(f"{times[name]:.2f}" if name in times else "" for times in columns.values()))
    return table


def _agreement(figures: dict[str, Any]) -> Table:
    names = ("token difference", "link difference", "cost difference", "same texts %", "logit difference", "verdicts %")
    table = Table(f"against torch, {figures['turns']} turns", *names, box=SIMPLE)
    for name, row in figures["graphs"].items():
        largest = (f"{row[f'largest_{kind}_difference']:.2g}" for kind in ("token", "link", "cost"))
        table.add_row(name, *largest, f"{100 * row['same_texts']:.2f}")
    judged = figures["verifier"]["engine"]
    verdicts = f"{judged['largest_logit_difference']:.2g}", f"{100 * judged['same_verdicts']:.2f}"
    table.add_row("engine", "", "", "", "", *verdicts)
    return table
