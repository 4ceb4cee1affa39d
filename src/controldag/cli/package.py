"""`controldag package`: a finished run as a checkpoint for `generate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.checkpoint.settings import GenerationSettings
from controldag.cli.console import Json, Quiet, out, print_json
from controldag.errors import InvalidInput, MissingDependency
from controldag.training.prepare import data_folder


def package(
    run: Annotated[
        Path, typer.Argument(help="Folder of a finished run, of a model, or of prepared data (lists only).")
    ],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Folder of the checkpoint to write.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the data; default: your own that `train --init` read, or $CONTROLDAG_DATA, ../shared/data."
        ),
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(help="A generation.json to take instead of the default settings.")
    ] = None,
    eight_bits: Annotated[
        bool, typer.Option("--eight-bits", help="Store the weights in eight bits a number, half of fp16.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put what generation needs beside a run's weights: words, rules, schema, length model, settings."""
    try:
        from controldag.checkpoint.packaging import package as make
        from controldag.checkpoint.packaging_material import own_folder
    except ImportError as error:
        raise MissingDependency.of("torch and transformers", "model", "Packaging") from error
    folder = data or own_folder(run) or data_folder()
    if folder is None:
        remedy = "Give the folder that training read: with your train.jsonl, or with sgd/ and dart/."
        raise InvalidInput.of("--data", "name the folder of the data", None, remedy=remedy)
    made = make(run, folder, target, GenerationSettings.load(settings) if settings else None, eight_bits=eight_bits)
    if as_json:
        print_json(made)
    elif not quiet:
        out.print(f"{made['out']}: {made['words']:,} words", soft_wrap=True)
