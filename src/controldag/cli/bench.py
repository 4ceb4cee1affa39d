"""`controldag bench`: hands over to the benchmarks, which stand beside the package in its repository, not in it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import typer

import controldag
from controldag.errors import InvalidInput

EVERYTHING_IS_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def repository() -> Path | None:
    """The folder with `benchmarks/`: where the package was installed from, or else this folder if it is a checkout."""
    for folder in (Path(controldag.__file__).resolve().parents[2], Path.cwd()):
        if (folder / "benchmarks" / "__main__.py").is_file() and (folder / "src" / "controldag").is_dir():
            return folder
    return None


def bench(context: typer.Context) -> None:
    """Measure speed and memory on this machine (with the repository at hand)."""
    folder = repository()
    if folder is None:
        raise InvalidInput(
            "The benchmarks are not installed with the package: they stand in `benchmarks/` of its repository.",
            remedy="Get the repository, run `make install` there, and then `controldag bench` again.",
        )
    sys.path.insert(0, str(folder))
    import_module("benchmarks.__main__").app(args=context.args, prog_name="controldag bench")
