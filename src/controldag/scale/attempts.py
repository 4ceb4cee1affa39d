"""What became of earlier attempts at a part: which of its lines its workers died on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from controldag.files import append_line

_WHOLE_TRIES = 2
_LINE_TRIES = 2


class Attempts:
    """A log beside the part's file, on disk before each step, since a worker that dies says nothing any more.

    A part is first tried whole. After so many deaths its lines are said one at a time; the line whose worker
    dies again and again is then known, and given up.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        entries = path.read_text("utf-8").splitlines() if path.is_file() else []
        self.whole = entries.count("whole") < _WHOLE_TRIES
        """Whether to try all lines at once."""
        begun = Counter(entry for entry in entries if entry.startswith("line "))
        ended = Counter(f"line {entry.split()[1]}" for entry in entries if entry.startswith("past "))
        self._deaths = begun - ended

    def begin_whole(self) -> None:
        append_line(self._path, "whole")

    def deadly(self, line: int) -> bool:
        """Whether the line, by its place in the part, has had its chances."""
        return self._deaths[f"line {line}"] >= _LINE_TRIES

    def begin(self, line: int) -> None:
        append_line(self._path, f"line {line}")

    def end(self, line: int) -> None:
        append_line(self._path, f"past {line}")
