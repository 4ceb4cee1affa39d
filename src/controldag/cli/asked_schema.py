"""A schema put together by questions, for who has none yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from controldag.cli.console import remark
from controldag.files import write_json


def ask_for_schema(path: Path) -> Path:
    """Asks for one service with its slots and intents, and writes it to `path`."""
    remark("A service of your own: a few questions, an empty answer ends each list.")
    name = typer.prompt("Name of the service, as Library_1", err=True).strip()
    about = typer.prompt("What it is about, as 'Find books and lend them'", default="", show_default=False, err=True)
    slots: list[dict[str, Any]] = []
    while slot := _asked("Name of a slot, as due_date"):
        described = typer.prompt("  what it is, as 'Date on which the book is due'", err=True)
        values = _asked("  its values with commas between, if there are only a few")
        possible = [value.strip() for value in values.split(",") if value.strip()]
        slots.append(
            {
                "name": slot,
                "description": described,
                "is_categorical": bool(possible),
                **({"possible_values": possible} if possible else {}),
            }
        )
    intents: list[dict[str, str]] = []
    while intent := _asked("Name of something it does, as LendBook"):
        intents.append({"name": intent, "description": typer.prompt("  what that is, as 'Lend a book'", err=True)})
    write_json(path, [{"service_name": name, "description": about.strip(), "slots": slots, "intents": intents}])
    remark(f"written: {path}")
    return path


def _asked(question: str) -> str:
    return str(typer.prompt(question, default="", show_default=False, err=True)).strip()
