"""The commands that documents show, with what they are said to print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The changelog and decisions tell what was done when they were written, with the commands of that day.
DOCUMENTS = sorted(
    [
        *(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("examples/*.md"),
        *ROOT.glob("results/*.md"),
        *ROOT.glob("src/controldag/pretrained/*/README.md"),
    ]
)
_BLOCK = re.compile(r"```console\n(.*?)```", flags=re.DOTALL)
_TYPED = re.compile(r"^\$ ((?:.*\\\n)*.*(?:\n {4}[{\[].*)*)\n?((?:(?!\$ ).*\n)*)", flags=re.MULTILINE)
_INDENTED = re.compile(r"^ {4}((?:controldag|python -m|make|tools/\S+) (?:.*\\\n)*.*)", flags=re.MULTILINE)
_INLINE = re.compile(r"`((?:controldag|python -m|make) [^`]*)`")


@dataclass(frozen=True, slots=True)
class Shown:
    """A command as a document shows it; `printed` is empty where nothing is. inline: in a sentence, not to be typed."""

    document: Path
    command: str
    printed: str = ""
    inline: bool = False

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}: {' '.join(self.command.split())}"


def shown(document: Path) -> Iterator[Shown]:
    """All commands of a document: typed after `$`, indented, and inside sentences."""
    text = document.read_text("utf-8")
    for block in _BLOCK.findall(text):
        for command, printed in _TYPED.findall(block):
            yield Shown(document, _plain(command), printed.strip("\n"))
    for command in [*_INDENTED.findall(text), *_INLINE.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL))]:
        yield Shown(document, _plain(command), inline=True)


def _plain(command: str) -> str:
    """The command without continued lines and the remark behind it."""
    return re.sub(r"\s{2,}# .*", "", re.sub(r"\\\n\s*", " ", command)).strip()


EVERY = [each for document in DOCUMENTS for each in shown(document)]
