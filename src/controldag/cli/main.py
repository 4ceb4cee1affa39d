"""The `controldag` command: one file a subcommand, put together here."""

from __future__ import annotations

from typing import Annotated

import typer

import controldag
from controldag.cli import console
from controldag.cli.bench import EVERYTHING_IS_PASSED_ON, bench, repository
from controldag.cli.lazy_group import lazy_app

COMMANDS = {
    "demo": "controldag.cli.demo:demo",
    "new-service": "controldag.cli.new_service:new_service",
    "generate": "controldag.cli.generate:generate",
    "verify": "controldag.cli.verify:verify",
    "inspect": "controldag.cli.inspect:inspect",
    "serve": "controldag.cli.serve:serve",
    "evaluate": "controldag.cli.evaluate:evaluate",
    "train": "controldag.cli.train:train",
    "package": "controldag.cli.package:package",
    "data": "controldag.cli.data:app",
}
"""By name, where each command is, a module and what it is called there: two for the first hour, then eight verbs."""

app = lazy_app(
    "controldag",
    "Fast text generation that keeps its promises: Control-DAG decoding for directed acyclic models.",
    COMMANDS,
)


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


app.command("bench", context_settings=EVERYTHING_IS_PASSED_ON, hidden=repository() is None)(bench)


def main() -> None:
    """Entry point of the command."""
    console.run_words(app, "controldag")


if __name__ == "__main__":
    main()
