"""`controldag data tokenizer`: a SentencePiece model of our own that spells every string."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Json, Quiet, SkipBad, remark
from controldag.cli.data_input import DataSource, Files, Lineariser, Schemas, print_report
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer, write_tokenizer


def tokenizer(
    files: Files,
    *,
    destination: Annotated[Path, typer.Option("--out", "-o", help="Where to write the model.")],
    size: Annotated[int, typer.Option(help="Number of pieces.")] = TokenizerOptions().size,
    coverage: Annotated[
        float, typer.Option(help="Share of the text's characters that get a piece; others are spelled in bytes.")
    ] = TokenizerOptions().character_coverage,
    lineariser: Lineariser = "auto",
    schema: Schemas = None,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Train a tokenizer on linearised inputs and references: unigram, nothing normalised, bytes as a last resort."""
    options = TokenizerOptions(size=size, character_coverage=coverage)
    source = DataSource.of(files, schema, skip_bad=skip_bad, quiet=quiet)
    texts = list(_texts(source, files, lineariser))
    remark(f"training on {len(texts):,} texts ...", quiet=quiet)
    made = write_tokenizer(train_tokenizer(texts, options), destination)
    source.say_what_was_skipped()
    print_report({"out": str(destination), "pieces": made.size, "texts": len(texts)}, as_json=as_json)


def _texts(source: DataSource, files: list[Path], lineariser: str) -> Iterator[str]:
    """Inputs and references file by file, since each kind of data has its own lineariser."""
    for file in files:
        linearise = source.lineariser(lineariser, file)
        for example in source.examples([file]):
            yield linearise(example)
            yield from example.references
