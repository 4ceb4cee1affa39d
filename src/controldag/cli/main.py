"""The `controldag` command: one file a subcommand, put together here."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import controldag
from controldag.cli import (
    bench,
    console,
    data,
    demo,
    differ,
    distil,
    evaluate,
    eyes,
    generate,
    inspect,
    new_service,
    package,
    record,
    reproduce,
    serve,
    services,
    sparsity,
    stress,
    train,
    tune,
    verify,
)

app = typer.Typer(
    name="controldag",
    help="Fast text generation that keeps its promises: Control-DAG decoding for directed acyclic models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(data.app)
app.add_typer(bench.app)
app.add_typer(eyes.app)
app.command()(train.train)
app.command()(distil.distil)
app.command()(generate.generate)
app.command()(inspect.inspect)
app.command()(serve.serve)
app.command("new-service")(new_service.new_service)
app.command()(services.services)
app.command()(demo.demo)
app.command()(evaluate.evaluate)
app.command()(verify.verify)
app.command()(stress.stress)
app.command()(reproduce.reproduce)
app.command("tune")(tune.tune_command)
app.command()(differ.differ)
app.command("sparsity")(sparsity.sparsity_command)
app.command()(record.record)
app.command()(package.package)


def _show_version(value: bool) -> None:
    if value:
        console.out.print(controldag.__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error (works anywhere on the line).")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Entry point of the command."""
    words = sys.argv[1:]
    # `--debug` belongs to no command: it is taken from anywhere on the line, up to a bare `--`.
    end = words.index("--") if "--" in words else len(words)
    debug = "--debug" in words[:end]
    words = [w for w in words[:end] if w != "--debug"] + words[end:]
    sys.exit(console.run(lambda: app(args=words, prog_name="controldag"), debug=debug))


if __name__ == "__main__":
    main()
