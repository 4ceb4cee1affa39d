"""`controldag train`: train a model from a preset or a YAML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.errors import InvalidInput, MissingDependency

if TYPE_CHECKING:
    from controldag.training.run import TrainingRequest

FINE_TUNE = "fine-tune"
"""The preset of runs that start from a checkpoint."""


def train(
    config: Annotated[
        str, typer.Argument(help="A preset (sgd-small, toy, …) or a YAML file; with --init, fine-tune.")
    ] = "",
    init: Annotated[
        str, typer.Option("--init", help="Start from a checkpoint: a bundled name (sgd-mini), a folder or a Hub id.")
    ] = "",
    folder: Annotated[Path | None, typer.Option("--out", help="Folder of the run; default: runs/NAME.")] = None,
    prepared: Annotated[
        Path | None,
        typer.Option("--prepared", help="Folder of prepared data; default: prepared, of your own in the run."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Folder of the data sets ($CONTROLDAG_DATA), or with --init of your own."),
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0.0, help="Wall-clock budget of training; 0: none.")] = 0.0,
    stop_after: Annotated[
        float, typer.Option("--stop-after", min=0.0, help="Stop after so many minutes, to be resumed; 0: never.")
    ] = 0.0,
    steps: Annotated[int, typer.Option("--steps", min=0, help="Number of steps instead of the config's.")] = 0,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed instead of the config's.")] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    resume: Annotated[bool, typer.Option("--resume/--no-resume", help="Go on from the last checkpoint.")] = True,
    half: Annotated[bool, typer.Option("--half", help="Write the final weights in fp16.")] = False,
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Prepare the data and stop.")] = False,
    validation_examples: Annotated[
        int | None, typer.Option("--validation-examples", min=0, help="Of the development data; 0: all.")
    ] = None,
    expect: Annotated[
        str, typer.Option("--expect", help="STEP:LOSS: end the run if the loss logged there is above it.")
    ] = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train DA-T5 or its autoregressive twin; saves every two minutes, and goes on from there after a kill."""
    if not config and not init:
        raise InvalidInput.of("CONFIG", "name a preset or a YAML file", None, remedy="Or start from one with --init.")
    config = config or FINE_TUNE
    try:
        from controldag.training.prepare import data_folder
        from controldag.training.run import TrainingRequest, run
    except ImportError as error:
        raise MissingDependency.of("torch", "model", "training") from error
    request: TrainingRequest = TrainingRequest(
        config=config,
        out=folder or Path("runs") / Path(config).stem,
        prepared=prepared,
        data=data or data_folder(),
        init=init,
        minutes=minutes,
        stop_after=stop_after,
        steps=steps,
        seed=seed,
        device=device,
        resume=resume,
        half=half,
        quiet=quiet or as_json,
        prepare_only=prepare_only,
        validation_examples=validation_examples,
        expect=expect,
    )
    results = run(request)
    for each in results.get("warnings", ()):
        remark(f"warning: {each}")
    if as_json:
        print_json(results)
    elif "dev" in results:
        table = Table(
            title=f"{results['name']}: {results['epochs']:.1f} epochs, {results['examples_per_s']:,.0f} examples/s"
        )
        figures = list(next(iter(results["dev"].values()), {}))
        for column in ("decoder", *figures):
            table.add_column(column, justify="left" if column == "decoder" else "right")
        for decoder, scores in results["dev"].items():
            table.add_row(decoder, *(f"{scores[name]:.2f}" for name in figures))
        out.print(table)
    else:
        out.print(results["prepared"])
