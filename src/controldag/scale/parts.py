"""A file of JSON lines in parts, by bytes, so that any process can read one without the others."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Part:
    """Some whole lines: the bytes from `start` to before `end`; `first` is the first line's number, from 1."""

    first: int
    lines: int
    start: int
    end: int

    @property
    def name(self) -> str:
        return f"{self.start:015d}-{self.end:015d}.jsonl"

    def read(self, source: Path) -> str:
        """The lines; InvalidInput where the file is too short, and so another one than was divided."""
        with source.open("rb") as file:
            file.seek(self.start)
            content = file.read(self.end - self.start)
        if len(content) != self.end - self.start:
            raise InvalidInput.of(
                "in", "be the same file on every machine", str(source), remedy="Put it where all of them see it."
            )
        return content.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Division:
    """All parts of a file, in order, and what tells that file from any other."""

    parts: tuple[Part, ...]
    sha256: str

    @property
    def lines(self) -> int:
        return sum(part.lines for part in self.parts)


def divide(source: Path, lines: int) -> Division:
    """The file in parts of so many lines (the last may have fewer)."""
    parts: list[Part] = []
    digest = hashlib.sha256()
    first, start = 1, 0
    with source.open("rb") as file:
        while chunk := list(islice(file, lines)):
            size = sum(map(len, chunk))
            parts.append(Part(first, len(chunk), start, start + size))
            first, start = first + len(chunk), start + size
            for line in chunk:
                digest.update(line)
    return Division(tuple(parts), digest.hexdigest())


def lines_of(text: str) -> Iterator[str]:
    """Its lines as a file opened by `open_lines` has them."""
    return io.StringIO(text, newline="\n")


def open_lines(source: Path) -> TextIO:
    """The file for `read_requests`: only `\\n` ends a line, and bytes that are no UTF-8 make one line bad, not all."""
    return source.open(encoding="utf-8", errors="surrogateescape", newline="\n")
