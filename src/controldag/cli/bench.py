"""`controldag bench`: how fast the parts are, on this machine."""

from __future__ import annotations

import itertools
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, progress, remark
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema, find_schemas
from controldag.errors import InvalidInput, MissingDependency
from controldag.experiments.record import write_result
from controldag.text.tokenizer import Tokenizer

app = typer.Typer(name="bench", help="Measure speed and memory on this machine.", no_args_is_help=True)

_RESULT = Path("benchmarks/results/data.json")
_BATCH = 1000


@app.callback()
def _group() -> None:
    pass  # keeps `bench data` a subcommand while it is the only one


@app.command("data")
def bench_data(
    data: Annotated[
        Path | None, typer.Option("--data", help="SGD file; default: sgd/train of the data folder.")
    ] = None,
    tokenizer: Annotated[Path | None, typer.Option("--tokenizer", help="SentencePiece model; default: T5's.")] = None,
    as_json: Json = False,
    save: Annotated[bool, typer.Option("--save", help=f"Keep the figures in {_RESULT}.")] = False,
    quiet: Quiet = False,
) -> None:
    """Read, linearise and tokenise a data set in one process and one thread: records a second, and peak memory."""
    file = data or data_folder() / "sgd" / "train.jsonl.gz"
    model = tokenizer or data_folder() / "t5" / "spiece.model"
    figures = _measure(file, model, quiet=quiet)
    settings = {"data": file.name, "tokenizer": model.name, "linearisation": "schema-guided", "batch": _BATCH}
    if save:
        write_result(_RESULT, figures, settings)
        remark(f"figures kept in {_RESULT}", quiet=quiet)
    if as_json:
        print_json({"figures": figures, "settings": settings})
        return
    table = Table(title="read + linearise + tokenise (input and target), one thread")
    for column in ("records", "seconds", "records/s", "tokens", "peak memory"):
        table.add_column(column, justify="right")
    table.add_row(
        f"{figures['records']:,}",
        f"{figures['seconds']:.2f}",
        f"{figures['records_per_second']:,.0f}",
        f"{figures['tokens']:,}",
        f"{figures['peak_memory_mb']:.0f} MB",
    )
    out.print(table)


@app.command("training")
def bench_training(
    configs: Annotated[list[str] | None, typer.Argument(help="Presets; default: sgd-mini and paper-sgd.")] = None,
    prepared: Annotated[Path, typer.Option("--prepared", help="Folder of prepared data.")] = Path("carry"),
    steps: Annotated[int, typer.Option("--steps", min=1, help="Steps to time.")] = 40,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    as_json: Json = False,
    save: Annotated[bool, typer.Option("--save", help="Keep the figures in benchmarks/results.")] = False,
    quiet: Quiet = False,
) -> None:
    """Training speed: the fused path against eager PyTorch, memory, and the share of time of each part."""
    try:
        from controldag.training import bench as training
        from controldag.training.options import load_options
        from controldag.training.prepare import open_prepared, prepared_name
    except ImportError as error:
        raise MissingDependency.of("torch", "model", "training") from error
    rows = []
    for config in configs or ["sgd-mini", "paper-sgd"]:
        options = load_options(config)
        folder = prepared / prepared_name(options.data)
        data = None if (folder / "prepared.json").is_file() or options.data.dataset == "toy" else data_folder()
        corpus = open_prepared(options.data, folder, data, lambda text: remark(text, quiet=quiet))
        rows.append(training.bench_training(options, corpus, steps=steps, device=device))
    if save:
        write_result(Path("benchmarks/results/training.json"), {row["config"]: row for row in rows}, {"steps": steps})
    if as_json:
        print_json(rows[0] if len(rows) == 1 else {**rows[0], "runs": rows})
        return
    for row in rows:
        table = Table("", "fused", "eager", title=f"training {row['config']}")
        table.add_row("examples/s", f"{row['examples_per_s']:,.0f}", f"{row['eager_examples_per_s']:,.0f}")
        table.add_row("ms a step", f"{row['step_ms']:.1f}", f"{row['eager_step_ms']:.1f}")
        table.add_row("peak GiB", f"{row['peak_gib']:.1f}", f"{row['eager_peak_gib']:.1f}")
        for part in sorted(row["parts"] | row["eager_parts"]):
            shares = (row["parts"].get(part, 0.0), row["eager_parts"].get(part, 0.0))
            table.add_row(f"{part}, % of time", *(f"{100 * share:.0f}" for share in shares))
        out.print(table)
        out.print(f"fused {row['fused_speedup']:.1f} times as fast; loss and alignment {row['loss_speedup']:.1f} times")


def data_folder() -> Path:
    """Where the data sets are: $CONTROLDAG_DATA, or `../shared/data` from here."""
    folder = Path(os.environ.get("CONTROLDAG_DATA") or Path("..", "shared", "data"))
    if not folder.is_dir():
        remedy = "Set CONTROLDAG_DATA, or name the files with --data and --tokenizer."
        raise InvalidInput.of("CONTROLDAG_DATA", "name the folder of the data sets", str(folder), remedy=remedy)
    return folder


def _measure(file: Path, model: Path, *, quiet: bool) -> dict[str, Any]:
    schemas = find_schemas(file)
    if not schemas:
        raise InvalidInput.of("--data", "have a schema.json beside it", str(file), remedy="Put the schema there.")
    schema = Schema.load(*schemas)
    encoder = Tokenizer.load(model)
    linearise = make_lineariser(LinearisationOptions(), schema=schema)
    records = tokens = 0
    # What is timed is everything from the file's bytes to token ids, checks against the schema included; loading
    # the schema and the tokenizer is left out.
    start = time.perf_counter()
    examples = progress(read_examples(file, schema=schema), "measuring", quiet=quiet)
    for batch in _batches(examples):
        texts = [linearise(example) for example in batch] + [example.target for example in batch]
        tokens += sum(map(len, encoder.encode_batch(texts)))
        records += len(batch)
    seconds = time.perf_counter() - start
    return {
        "records": records,
        "seconds": seconds,
        "records_per_second": records / seconds,
        "tokens": tokens,
        "peak_memory_mb": _peak_memory_bytes() / 1e6,
    }


def _batches(examples: Iterator[Example]) -> Iterator[list[Example]]:
    while batch := list(itertools.islice(examples, _BATCH)):
        yield batch


def _peak_memory_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # kilobytes everywhere but on macOS
