"""The folder beside an output that holds its finished parts until all of them are there."""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controldag.errors import InvalidInput
from controldag.files import atomic_write_text, write_json
from controldag.scale.parts import Part
from controldag.scale.say_part import read_counts

_COPIED_AT_A_TIME = 1 << 20


class PartFolder:
    """Parts of one output; made with one set of settings, which a later run must share to go on."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.path = out.with_name(out.name + ".parts")

    @contextmanager
    def held(self, settings: dict[str, Any]) -> Iterator[None]:
        """Ours alone within the block; InvalidInput where a run is under way or one with other settings was."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the process, however that ends
            except BlockingIOError:
                raise InvalidInput.of("out", "not be under way in another run", str(self.out)) from None
            self._check(json.loads(json.dumps(settings)))
            yield

    def missing(self, parts: Sequence[Part]) -> list[Part]:
        there = {path.name for path in self.path.glob("*.jsonl")}
        return [part for part in parts if part.name not in there]

    def counts(self, part: Part) -> dict[str, int]:
        return read_counts(self.path / part.name)

    def merge(self, parts: Sequence[Part]) -> None:
        """Writes the output, all parts in order, and then removes the folder."""
        with atomic_write_text(self.out) as merged:
            for part in parts:
                with (self.path / part.name).open(encoding="utf-8", newline="\n") as file:
                    file.readline()
                    shutil.copyfileobj(file, merged, _COPIED_AT_A_TIME)
        shutil.rmtree(self.path)

    def _check(self, settings: dict[str, Any]) -> None:
        path = self.path / "run.json"
        if not path.is_file():
            write_json(path, settings)
            return
        before = json.loads(path.read_text("utf-8"))
        changed = [name for name in settings if settings[name] != before.get(name)]
        if changed:
            raise InvalidInput(
                f"{self.path} holds parts of a run with other settings ({', '.join(changed)}).",
                remedy="Run it again as it was, or remove that folder to begin anew.",
            )
