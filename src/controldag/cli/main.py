"""The `controldag` command: one file a subcommand, put together here."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import controldag
from controldag.cli import console

COMMANDS = {
    "data": "data:app",
    "bench": "bench:app",
    "eyes": "eyes:app",
    "train": "train:train",
    "distil": "distil:distil",
    "generate": "generate:generate",
    "inspect": "inspect:inspect",
    "serve": "serve:serve",
    "new-service": "new_service:new_service",
    "services": "services:services",
    "demo": "demo:demo",
    "evaluate": "evaluate:evaluate",
    "verify": "verify:verify",
    "stress": "stress:stress",
    "reproduce": "reproduce:reproduce",
    "tune": "tune:tune_command",
    "differ": "differ:differ",
    "sparsity": "sparsity:sparsity_command",
    "record": "record:record",
    "package": "package:package",
}
"""By name, where each command is: module of `controldag.cli` and what it is called there."""


class _CommandsWhenAsked(TyperGroup):
    """Imports the one command that is run: all of them bring in nearly everything, which takes a second."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        found = getattr(import_module(f"controldag.cli.{module}"), name)
        alone = typer.Typer(callback=_root, rich_markup_mode=None)
        if isinstance(found, typer.Typer):
            alone.add_typer(found)
        else:
            alone.command(cmd_name)(found)
        return typer.main.get_group(alone).get_command(ctx, cmd_name)


app = typer.Typer(
    name="controldag",
    cls=_CommandsWhenAsked,
    help="Fast text generation that keeps its promises: Control-DAG decoding for directed acyclic models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
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
