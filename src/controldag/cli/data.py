"""`controldag data`: read, convert, linearise and look at data sets."""

from __future__ import annotations

import itertools
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, SkipBad, out, print_json, progress, remark
from controldag.cli.data_demo import demo
from controldag.cli.data_length import length
from controldag.cli.data_rules import rules
from controldag.cli.data_stats import stats
from controldag.cli.data_tokenizer import tokenizer
from controldag.cli.data_words import words
from controldag.data.linearise import NAMES, LinearisationOptions, make_lineariser
from controldag.data.read import FORMATS, SkipLog, read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema, find_schemas
from controldag.data.templates import Templates
from controldag.data.write import write_examples
from controldag.errors import InvalidInput
from controldag.files import atomic_write_text
from controldag.metrics.bleu import corpus_bleu
from controldag.metrics.slot_error import slot_error_rate

app = typer.Typer(name="data", help="Read, convert, linearise and look at data sets.", no_args_is_help=True)
app.command("demo")(demo)
app.command("stats")(stats)
app.command("words")(words)
app.command("rules")(rules)
app.command("tokenizer")(tokenizer)
app.command("length")(length)

Format = Annotated[str, typer.Option("--format", help=f"auto, {', '.join(FORMATS)}.")]
SchemaPaths = Annotated[
    list[Path] | None,
    typer.Option("--schema", help="Schema file or folder; repeat it for a union. Default: those beside the data."),
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Stop after so many records.")]
TemplateFolder = Annotated[Path | None, typer.Option("--templates", help="Folder of <service>.tsv templates.")]


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Data file, or folder in the official SGD layout.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="JSON lines to write; compressed if it ends in .gz.")],
    format: Format = "auto",
    schema: SchemaPaths = None,
    for_training: Annotated[bool, typer.Option("--for-training", help="An empty target is an error.")] = False,
    skip_bad: SkipBad = False,
    limit: Limit = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write any supported data set as compact JSON lines."""
    skipped = SkipLog()
    examples = read_examples(
        source,
        format=format,
        schema=load_schema(source, schema),
        for_training=for_training,
        skipped=skipped if skip_bad else None,
    )
    count = write_examples(target, progress(itertools.islice(examples, limit), "converting", quiet=quiet))
    report_skipped(skipped, quiet=quiet)
    if as_json:
        print_json({"written": count, "skipped": skipped.total, "reasons": dict(skipped.reasons), "out": str(target)})
    else:
        remark(f"{count:,} records written to {target}", quiet=quiet)


@app.command()
def linearise(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Data file or folder.")],
    name: Annotated[str, typer.Option("--as", help=f"{', '.join(NAMES)}.")] = "schema-guided",
    comma: Annotated[
        bool, typer.Option("--comma", help="Join values of one slot by ' , ' instead of a blank.")
    ] = False,
    schema: SchemaPaths = None,
    templates: TemplateFolder = None,
    to: Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")] = None,
    skip_bad: SkipBad = False,
    limit: Limit = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Print each record as the text a model reads; with --json, one object with id, input and target a line."""
    known = load_schema(source, schema)
    options = LinearisationOptions(name, " , " if comma else " ")
    to_text = make_lineariser(options, schema=known, templates=Templates.load(templates) if templates else None)
    skipped = SkipLog()
    examples = itertools.islice(read_examples(source, schema=known, skipped=skipped if skip_bad else None), limit)
    with atomic_write_text(to) if to else nullcontext(sys.stdout) as file:
        for example in progress(examples, "linearising", quiet=quiet or to is None):
            text = to_text(example)
            record = {"id": example.id, "input": text, "target": example.target}
            # In plain text a record is a line, so a line break inside it would make two of one.
            file.write((json.dumps(record, ensure_ascii=False) if as_json else one_line(text)) + "\n")
    report_skipped(skipped, quiet=quiet)


@app.command("templates")
def fill_templates(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Data file with dialogue acts.")],
    templates: Annotated[Path, typer.Option("--templates", help="Folder of <service>.tsv templates.")],
    schema: SchemaPaths = None,
    to: Annotated[Path | None, typer.Option("--out", help="Write the sentences here, one a line.")] = None,
    skip_bad: SkipBad = False,
    limit: Limit = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say each record with templates, and print BLEU, brevity penalty and slot error rate: a floor for models."""
    known = load_schema(source, schema)
    if known is None:
        raise InvalidInput.of("--schema", "be given: none lies beside the data", None, remedy="Name a schema file.")
    skipped = SkipLog()
    stream = read_examples(source, schema=known, skipped=skipped if skip_bad else None)
    examples = list(progress(itertools.islice(stream, limit), "reading", quiet=quiet))
    baseline = Templates.load(templates)
    texts = [baseline.text(example) for example in examples]
    figures = _scores(examples, texts, known)
    if to:
        with atomic_write_text(to) as file:
            file.writelines(one_line(text) + "\n" for text in texts)
    report_skipped(skipped, quiet=quiet)
    if as_json:
        print_json(figures | {"skipped": skipped.total})
        return
    table = Table(title="templates, concatenated")
    for column in ("records", "BLEU", "BP", "SER %", "SER % (applicable)"):
        table.add_column(column, justify="right")
    row = (figures["bleu"], figures["brevity_penalty"], figures["ser"], figures["ser_applicable"])
    table.add_row(f"{len(examples):,}", *(f"{value:.2f}" for value in row))
    out.print(table)


def load_schema(data: Path, paths: list[Path] | None) -> Schema | None:
    """The schemas asked for, or else those beside the data, or else none."""
    found = tuple(paths) if paths else find_schemas(data)
    return Schema.load(*found) if found else None


def report_skipped(skipped: SkipLog, *, quiet: bool) -> None:
    """Says on standard error how many records were skipped and why, if any were."""
    if skipped.total:
        remark(skipped.summary().replace("[", r"\["), quiet=quiet)


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
