"""Writes what docs/cli.md and docs/recipes.md say of each command from the command itself: usage, help and options.

Between `<!-- command: NAME -->` and `<!-- end -->` all is made here; what stands around it is written by hand, and
stays. A command that a page lacks gets a section at its end; a section whose command is gone is an error. Run:

    python -m tools.make_cli_page
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from benchmarks.__main__ import app as benchmarks
from controldag.cli.main import app as controldag
from controldag.files import atomic_write_text
from recipes.__main__ import app as recipes

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES: dict[str, tuple[tuple[str, typer.Typer], ...]] = {
    "cli.md": (("controldag", controldag), ("controldag bench", benchmarks)),
    "recipes.md": (("python -m recipes", recipes),),
}
SHARED = ("--json", "--quiet", "--help")  # what the page says of all commands at once
_BLOCK = re.compile(r"<!-- command: (.*?) -->\n.*?<!-- end -->\n", flags=re.DOTALL)


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Every command below `command` that is no group itself, by what one types."""
    if not hasattr(command, "list_commands"):
        yield name, command
        return
    for each in command.list_commands(None):
        if name != "controldag" or each != "bench":  # which hands over to the benchmarks, a page's second part
            yield from commands(f"{name} {each}", command.get_command(None, each))


def block(name: str, command: Any) -> str:
    """What a page says of one command."""
    given = [each for each in command.params if not each.opts[0].startswith("-")]
    options = [
        each for each in command.params if each not in given and not each.hidden and not set(each.opts) & set(SHARED)
    ]
    shared = [option for option in SHARED[:-1] if any(option in each.opts for each in command.params)]
    usage = " ".join([name, *map(_place, given), *(["[OPTIONS]"] if options or shared else [])])
    lines = [f"<!-- command: {name} -->", "```text", usage, "```", "", " ".join((command.help or "").split()), ""]
    if given or options:
        lines += ["| | |", "|---|---|"]
        lines += [f"| `{_place(each).strip('[].')}` | {_told(each)} |" for each in given]
        lines += [f"| {_names(each)} | {_told(each)} |" for each in options]
        lines.append("")
    if shared:
        lines += [f"And {', '.join(f'`{option}`' for option in shared)}, as everywhere.", ""]
    return "\n".join([*lines, "<!-- end -->", ""])


def _place(argument: Any) -> str:
    name = (argument.metavar or argument.name).upper() + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _names(option: Any) -> str:
    return ", ".join(f"`{name}`" for name in [*sorted(option.opts, key=len, reverse=True), *option.secondary_opts])


def _told(option: Any) -> str:
    told = " ".join((option.help or "").split()).replace("|", "\\|")
    if option.secondary_opts and option.default is not None:
        return f"{told} Default: `{(option.opts if option.default else option.secondary_opts)[0]}`."
    if option.default not in (None, False, "", (), []) and not callable(option.default):
        shown = option.default if isinstance(option.default, list | tuple) else [option.default]
        return f"{told} Default: {', '.join(f'`{each}`' for each in shown)}."
    return f"{told} Required." if option.required else told


def made(page: str, text: str) -> str:
    """The text of a page with what it says of its commands made anew."""
    known = {name: each for root, app in PAGES[page] for name, each in commands(root, typer.main.get_command(app))}
    found = set(_BLOCK.findall(text))
    if found - known.keys():
        raise SystemExit(f"{page}: no such command: {', '.join(sorted(found - known.keys()))}. Remove its section.")
    for name in (name for name in known if name not in found):
        text += f"\n## `{name}`\n\n<!-- command: {name} -->\n<!-- end -->\n"
    return _BLOCK.sub(lambda match: block(match[1], known[match[1]]), text)


if __name__ == "__main__":
    for page in PAGES:
        text = made(page, (DOCS / page).read_text("utf-8"))
        with atomic_write_text(DOCS / page) as file:
            file.write(text)
