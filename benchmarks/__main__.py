"""`python -m benchmarks`, or `controldag bench`: how fast the parts are, on this machine."""

from __future__ import annotations

import typer

from controldag.cli.console import run_words
from controldag.cli.lazy_group import lazy_group

COMMANDS = {
    "data": "benchmarks.data:bench_data",
    "engine": "benchmarks.engine.command:bench_engine",
    "end-to-end": "benchmarks.end_to_end.command:bench_end_to_end_command",
    "first-text": "benchmarks.end_to_end.first_text:bench_first_text",
    "runtime": "benchmarks.runtime.command:bench_runtime_command",
    "training": "benchmarks.training.command:bench_training",
    "serving": "benchmarks.serving.command:bench_serving",
}

app = typer.Typer(
    name="bench",
    cls=lazy_group(COMMANDS),
    help="Measure speed and memory on this machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _root() -> None:
    pass


if __name__ == "__main__":
    run_words(app, "python -m benchmarks")
