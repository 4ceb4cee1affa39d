"""`python -m recipes training-record`: keep a training run's figures and curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Json, Quiet, out, print_json
from recipes.training_record.record import record_run


def record(
    folder: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    target: Annotated[Path, typer.Option("--out", help="Folder of the results.")] = Path("results/training"),
    commit: Annotated[
        str | None, typer.Option("--commit", help="Commit that ran, where the run could not tell.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Keep a run's figures (NAME.json) and curves (NAME.png)."""
    figures, picture = record_run(folder, target, commit=commit)
    if as_json:
        print_json({"figures": str(figures), "curves": str(picture)})
    elif not quiet:
        out.print(f"{figures}\n{picture}", soft_wrap=True)
