"""`python -m benchmarks data`: how fast data is read, on this machine."""

from __future__ import annotations

import itertools
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, progress, remark
from controldag.cli.data_input import found
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema, find_schemas
from controldag.errors import InvalidInput
from controldag.run_record import write_result
from controldag.text.tokenizer import Tokenizer

_RESULT = Path("benchmarks/results/data.json")
_BATCH = 1000


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
    file = found(data or Path("sgd", "train.jsonl.gz"))
    model = found(tokenizer or Path("t5", "spiece.model"))
    figures = _measure(file, model, quiet=quiet)
    settings = {"data": file.name, "tokenizer": model.name, "linearisation": "schema-guided", "batch": _BATCH}
    if save:
        write_result(_RESULT, figures, settings)
        remark(f"figures kept in {_RESULT}", quiet=quiet)
    if as_json:
        print_json({"figures": figures, "settings": settings})
        return
    table = Table(title="read + linearise + tokenise (input and target), one thread")
    for column in ("records", "seconds", "of processor", "records/s", "tokens", "peak memory"):
        table.add_column(column, justify="right")
    table.add_row(
        f"{figures['records']:,}",
        f"{figures['seconds']:.2f}",
        f"{figures['processor_seconds']:.2f}",
        f"{figures['records_per_second']:,.0f}",
        f"{figures['tokens']:,}",
        f"{figures['peak_memory_mb']:.0f} MB",
    )
    out.print(table)


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
    start, start_of_work = time.perf_counter(), time.process_time()
    examples = progress(read_examples(file, schema=schema), "measuring", quiet=quiet)
    for batch in _batches(examples):
        texts = [linearise(example) for example in batch] + [example.target for example in batch]
        tokens += sum(map(len, encoder.encode_batch(texts)))
        records += len(batch)
    seconds, processor_seconds = time.perf_counter() - start, time.process_time() - start_of_work
    return {
        "records": records,
        "seconds": seconds,
        "records_per_second": records / seconds,
        # Other work on the machine lengthens the seconds, but hardly these: where the two differ, it was not idle.
        "processor_seconds": processor_seconds,
        "tokens": tokens,
        "peak_memory_mb": _peak_memory_bytes() / 1e6,
    }


def _batches(examples: Iterator[Example]) -> Iterator[list[Example]]:
    while batch := list(itertools.islice(examples, _BATCH)):
        yield batch


def _peak_memory_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # kilobytes everywhere but on macOS
