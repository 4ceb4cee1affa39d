"""`controldag data length`: the line that predicts how long a text will be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Json, Quiet, SkipBad
from controldag.cli.data_input import DataSource, Files, Lineariser, Schemas, found, names_of, print_report
from controldag.errors import InvalidInput
from controldag.text.length import LengthModel
from controldag.text.statistics import measure
from controldag.text.tokenizer import Tokenizer


def length(
    files: Files,
    *,
    destination: Annotated[Path, typer.Option("--out", "-o", help="Where to write the model (JSON).")],
    tokenizer: Annotated[Path, typer.Option(help="The SentencePiece model that lengths are counted with.")],
    lineariser: Lineariser = "auto",
    schema: Schemas = None,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Fit target length to input length in tokens, `</s>` counted on both sides, over all references."""
    model = Tokenizer.load(found(tokenizer))
    source = DataSource.of(files, schema, skip_bad=skip_bad, quiet=quiet)
    linearise = source.lineariser(lineariser, files[0])
    counted = measure(source.examples(files), linearise, model.count_batch)
    if counted.references == 0:
        raise InvalidInput.of("FILES", "hold references to learn from", names_of(files))
    pairs = ((x + 1, y + 1) for x, y in counted.pairs.elements())
    fitted = LengthModel.fit(pairs, source=f"{names_of(files)}; {names_of([tokenizer])}")
    fitted.save(destination)
    source.say_what_was_skipped()
    report = {
        "out": str(destination),
        "slope": round(fitted.slope, 4),
        "intercept": round(fitted.intercept, 4),
        "r_squared": round(fitted.r_squared or 0.0, 4),
        "pairs": fitted.pairs,
    }
    print_report(report, as_json=as_json)
