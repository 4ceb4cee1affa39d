"""`python -m recipes differ`: a page of records where systems differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Quiet, remark
from controldag.cli.data_input import Limit, found, load_schema, names_of
from controldag.cli.evaluation_input import read_records, train_file, training_data
from controldag.files import atomic_write_text
from controldag.metrics.background import Background
from controldag.run_record import circumstances
from recipes.differ.differences import differences_page
from recipes.output_files import OutputFiles, texts_of


def differ(
    page: Annotated[Path, typer.Argument(help="Where to write the page (Markdown).")],
    data: Annotated[Path, typer.Option(help="Data file with references; also looked for in the data folder.")],
    outputs: OutputFiles,
    train: Annotated[Path | None, typer.Option(help="Training data; default: what stands beside the data.")] = None,
    limit: Limit = None,
    show: Annotated[int, typer.Option(min=1, help="Records of each kind.")] = 5,
    quiet: Quiet = False,
) -> None:
    """Write a page of records where the first system and the others differ, for better and for worse."""
    file = found(data)
    schema = load_schema(None, [file])
    records = read_records(file, schema, quiet=quiet)
    texts = texts_of(outputs, records, limit, least=2)
    training = training_data(train_file(train, file), schema, quiet=quiet)
    background = Background.of(schema, records, training, source=names_of([file]))
    run = circumstances()
    made = (
        f"Made by `python -m recipes differ` from {names_of([file])}; commit {run['commit'][:12]}, {run['date'][:10]}."
    )
    with atomic_write_text(page) as target:
        target.write(differences_page(records[:limit], texts, background, show=show, made=made))
    remark(f"written: {page}", quiet=quiet)
