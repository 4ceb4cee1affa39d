"""What every command shares: output, progress, errors in one line, exit codes."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from controldag.errors import ControlDagError

T = TypeVar("T")

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class ExitCode(IntEnum):
    """What a script can tell from the exit status."""

    OK = 0
    INTERNAL = 1  # a bug: please report it
    BAD_INPUT = 2  # usage, data or options; the message says which and what to do
    INTERRUPTED = 130


Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bars and no remarks; results only.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Go on past bad records; say how many were skipped and why.")]


def print_json(value: Any) -> None:
    """Prints `value` as one line of JSON on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def remark(message: str, *, quiet: bool = False) -> None:
    """Prints a remark, as it is, on standard error, so that standard output holds results only."""
    if not quiet:
        err.print(message, markup=False, soft_wrap=True)


def progress(items: Iterable[T], description: str, *, quiet: bool, total: int | None = None) -> Iterator[T]:
    """`items`, with a progress bar on standard error unless `quiet` or standard error is not a terminal."""
    if quiet or not err.is_terminal:
        yield from items
        return
    with _bar() as bar:
        yield from bar.track(items, total=total, description=description)


@contextmanager
def counting(total: int, description: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """What to tell how many are done: a progress bar under the same rule as `progress`."""
    if quiet or not err.is_terminal:
        yield lambda done: None
        return
    with _bar() as bar:
        task = bar.add_task(description, total=total)
        yield lambda done: bar.update(task, completed=done)


def _bar() -> Progress:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=err, transient=True)


def run(app: Callable[[], Any], *, debug: bool) -> int:
    """Runs a command and turns every error into one line and an exit code; a traceback only with `--debug`."""
    try:
        app()
    except ControlDagError as error:
        if debug:
            traceback.print_exc()
        err.print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True)
        return ExitCode.BAD_INPUT
    except KeyboardInterrupt:
        err.print("interrupted")
        return ExitCode.INTERRUPTED
    except OSError as error:
        if debug:
            traceback.print_exc()
        err.print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True)
        return ExitCode.BAD_INPUT
    except SystemExit as stop:
        # Typer leaves with 1 when the reader (head, say) went away; but nothing is wrong then.
        if stop.code is None or isinstance(stop.__context__, BrokenPipeError):
            return ExitCode.OK
        return stop.code if isinstance(stop.code, int) else ExitCode.INTERNAL
    except Exception as error:
        if debug:
            traceback.print_exc()
        kind = type(error).__name__
        err.print(
            f"[bold red]internal error:[/] {kind}: {escape(str(error))} "
            "(run again with --debug for the traceback, and please report it)",
            soft_wrap=True,
        )
        return ExitCode.INTERNAL
    return ExitCode.OK


def run_words(commands: typer.Typer, called: str) -> None:
    """Runs what the program was called with, and ends it with the exit code."""
    words = sys.argv[1:]
    # `--debug` belongs to no command: it is taken from anywhere on the line, up to a bare `--`.
    end = words.index("--") if "--" in words else len(words)
    debug = "--debug" in words[:end]
    words = [w for w in words[:end] if w != "--debug"] + words[end:]
    sys.exit(run(lambda: commands(args=words, prog_name=called), debug=debug))
