"""`controldag data`: read, convert, linearise and look at data sets."""

from __future__ import annotations

import dataclasses
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, SkipBad, out, print_json, progress, remark
from controldag.cli.data_demo import demo
from controldag.cli.data_input import DataSource, File, Limit, Schemas
from controldag.cli.data_length import length
from controldag.cli.data_rules import rules
from controldag.cli.data_services import services
from controldag.cli.data_stats import stats
from controldag.cli.data_tokenizer import tokenizer
from controldag.cli.data_words import words
from controldag.data.linearise import NAMES, LinearisationOptions, make_lineariser
from controldag.data.read import FORMATS
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.data.write import write_examples
from controldag.errors import InvalidInput
from controldag.files import atomic_write_text
from controldag.metrics.bleu import corpus_bleu
from controldag.metrics.slot_error import slot_error_rate

app = typer.Typer(name="data", help="Read, convert, linearise and look at data sets.", no_args_is_help=True)
app.command("demo")(demo)
app.command("services")(services)
app.command("stats")(stats)
app.command("words")(words)
app.command("rules")(rules)
app.command("tokenizer")(tokenizer)
app.command("length")(length)


@app.command()
def convert(
    file: File,
    target: Annotated[Path, typer.Argument(metavar="OUT", help="JSON lines to write; compressed if it ends in .gz.")],
    format: Annotated[str, typer.Option(help=f"auto, {', '.join(FORMATS)}.")] = "auto",
    schema: Schemas = None,
    for_training: Annotated[bool, typer.Option("--for-training", help="An empty target is an error.")] = False,
    skip_bad: SkipBad = False,
    limit: Limit = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write any supported data set as compact JSON lines."""
    source = DataSource.of([file], schema, skip_bad=skip_bad, quiet=quiet)
    source = dataclasses.replace(source, format=format, for_training=for_training)
    count = write_examples(target, source.examples([file], limit))
    source.say_what_was_skipped()
    if as_json:
        print_json({"written": count, **source.skipped_figures(), "out": str(target)})
    else:
        remark(f"{count:,} records written to {target}", quiet=quiet)


@app.command()
def linearise(
    file: File,
    name: Annotated[str, typer.Option("--as", help=f"{', '.join(NAMES)}.")] = "schema-guided",
    comma: Annotated[
        bool, typer.Option("--comma", help="Join values of one slot by ' , ' instead of a blank.")
    ] = False,
    schema: Schemas = None,
    templates: Annotated[
        Path | None, typer.Option(help="Folder of <service>.tsv templates, for template-guided.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Write here instead of standard output.")] = None,
    skip_bad: SkipBad = False,
    limit: Limit = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Print each record as the text a model reads; with --json, one object with id, input and target a line."""
    source = DataSource.of([file], schema, skip_bad=skip_bad, quiet=quiet)
    options = LinearisationOptions(name, " , " if comma else " ")
    to_text = make_lineariser(options, schema=source.schema, templates=Templates.load(templates) if templates else None)
    with atomic_write_text(to) if to else nullcontext(sys.stdout) as output:
        # On standard output the lines themselves show how far it is: a bar would stand between them.
        for example in progress(source.read([file], limit), "linearising", quiet=quiet or to is None):
            text = to_text(example)
            record = {"id": example.id, "input": text, "target": example.target}
            # In plain text a record is a line, so a line break inside it would make two of one.
            output.write((json.dumps(record, ensure_ascii=False) if as_json else one_line(text)) + "\n")
    source.say_what_was_skipped()


@app.command("templates")
def fill_templates(
    file: File,
    templates: Annotated[Path, typer.Option(help="Folder of <service>.tsv templates.")],
    schema: Schemas = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Write the sentences here, one a line.")] = None,
    skip_bad: SkipBad = False,
    limit: Limit = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say each record with templates, and print BLEU, brevity penalty and slot error rate: a floor for models."""
    source = DataSource.of([file], schema, skip_bad=skip_bad, quiet=quiet)
    if source.schema is None:
        raise InvalidInput.of("--schema", "be given: none lies beside the data", None, remedy="Name a schema file.")
    baseline = Templates.load(templates)
    examples = list(source.examples([file], limit))
    texts = [baseline.text(example) for example in examples]
    figures = _scores(examples, texts, source.schema)
    if to:
        with atomic_write_text(to) as output:
            output.writelines(one_line(text) + "\n" for text in texts)
    source.say_what_was_skipped()
    if as_json:
        print_json(figures | source.skipped_figures())
        return
    table = Table(title="templates, concatenated")
    for column in ("records", "BLEU", "BP", "SER %", "SER % (applicable)"):
        table.add_column(column, justify="right")
    row = (figures["bleu"], figures["brevity_penalty"], figures["ser"], figures["ser_applicable"])
    table.add_row(f"{len(examples):,}", *(f"{value:.2f}" for value in row))
    out.print(table)


def one_line(text: str) -> str:
    """`text` with line breaks turned into blanks, so that line n of a file belongs to record n."""
    return " ".join(text.splitlines())


def _scores(examples: list[Example], texts: list[str], schema: Schema) -> dict[str, float | int | str]:
    bleu = corpus_bleu(texts, [example.references for example in examples])
    errors = slot_error_rate(examples, texts, schema)
    return {
        "records": len(examples),
        "bleu": bleu.score,
        "brevity_penalty": bleu.brevity_penalty,
        "signature": bleu.signature,
        "ser": errors.rate,
        "ser_applicable": errors.applicable_rate,
    }
