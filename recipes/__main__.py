"""`python -m recipes`: the studies behind the figures, one command each."""

from __future__ import annotations

import typer

from controldag.cli.console import run_words
from controldag.cli.lazy_group import lazy_group

COMMANDS = {
    "reproduce": "recipes.reproduce.command:reproduce",
    "tune": "recipes.tune.command:tune_command",
    "sparsity": "recipes.sparsity.command:sparsity_command",
    "stress": "recipes.stress.command:stress",
    "reading": "recipes.reading.command:app",
    "differ": "recipes.differ.command:differ",
    "distil": "recipes.distil.command:distil",
    "teach": "recipes.teach.command:teach",
    "training-record": "recipes.training_record.command:record",
}

app = typer.Typer(
    name="recipes",
    cls=lazy_group(COMMANDS),
    help="Studies, tables and readings: what the figures of this repository were made with.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _root() -> None:
    pass


if __name__ == "__main__":
    run_words(app, "python -m recipes")
