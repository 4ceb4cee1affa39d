"""Asks the package of a source tree about itself: which files one text visits, its options, its settings.

`python tools/ask_package.py SOURCE CORE` prints JSON. CORE: the engine of a tree that is not installed, or empty.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any


def use(source: Path, core: str) -> None:
    """From here on, `controldag` is the package in that folder."""
    if not core:
        return
    sys.meta_path = [finder for finder in sys.meta_path if "Scikit" not in type(finder).__name__]
    sys.path.insert(0, str(source))
    spec = importlib.util.spec_from_file_location("controldag._core", core)
    assert spec is not None and spec.loader is not None
    sys.modules["controldag._core"] = engine = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(engine)


def visited(source: Path) -> list[str]:
    """The files of the package whose functions are called for one text, once the model is loaded and warm."""
    package = import_module("controldag")
    nlg = package.ControlDag.from_pretrained("sgd-mini")
    nlg.threads = 1
    acts = [package.Act("OFFER", slot, (value,)) for slot, value in (("city", "San Jose"), ("price_range", "cheap"))]
    found: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(source)):
            found.add(str(Path(frame.f_code.co_filename).relative_to(source)))

    nlg.generate(acts, service="Restaurants_1", decoder="control-dag")
    sys.setprofile(note)
    nlg.generate(acts, service="Restaurants_1", decoder="control-dag")
    sys.setprofile(None)
    return sorted(found)


def options() -> dict[str, int]:
    """By command of the command line: how many arguments and options it has."""
    import typer

    def counted(command: Any, name: str) -> Iterator[tuple[str, int]]:
        if not hasattr(command, "list_commands"):
            yield name, len([each for each in command.params if each.name != "help"])
            return
        context = typer.Context(command)
        for each in command.list_commands(context):
            yield from counted(command.get_command(context, each), f"{name} {each}".strip())

    return dict(counted(typer.main.get_command(import_module("controldag.cli.main").app), ""))


def settings() -> dict[str, int]:
    """How many settings generation and training have."""
    try:
        generation = import_module("controldag.checkpoint.settings")
    except ImportError:  # where it was before there was that room
        generation = import_module("controldag.generation.settings")
    training = import_module("controldag.training.options")
    return {
        "generation": _fields(generation.GenerationSettings),
        "training": _fields(training.TrainingOptions),
    }


def _fields(kind: Any) -> int:
    return sum(_fields(f.default) if dataclasses.is_dataclass(f.default) else 1 for f in dataclasses.fields(kind))


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    use(folder, sys.argv[2])
    warnings.simplefilter("ignore")
    print(json.dumps({"visited": visited(folder), "options": options(), "settings": settings()}))
