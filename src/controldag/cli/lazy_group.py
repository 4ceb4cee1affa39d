"""A group of commands of which only the one that is run is imported: all of them bring in nearly everything."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


def lazy_app(name: str, help: str, places: Mapping[str, str]) -> typer.Typer:
    """An application whose commands are at these places: by name, the module and what it is called there."""
    return typer.Typer(
        name=name,
        cls=_lazy_group(places),
        help=help,
        callback=_nothing,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )


def _lazy_group(places: Mapping[str, str]) -> type[TyperGroup]:

    class LazyGroup(TyperGroup):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.commands = {**dict.fromkeys(places), **self.commands}  # type: ignore[dict-item]

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in places:
                return super().get_command(ctx, cmd_name)
            module, _, name = places[cmd_name].partition(":")
            found = getattr(import_module(module), name)
            alone = typer.Typer(callback=_nothing, rich_markup_mode=None)
            if isinstance(found, typer.Typer):
                alone.add_typer(found, name=cmd_name)
            else:
                alone.command(cmd_name)(found)
            return typer.main.get_group(alone).get_command(ctx, cmd_name)

    return LazyGroup


def _nothing() -> None:
    pass
