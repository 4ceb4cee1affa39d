"""`controldag serve` as a process of its own, on a free port of the loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from controldag.errors import ControlDagError

_STARTING_SECONDS = 120


class ServedProcess:
    """The process, its address, and the lines it has logged."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "controldag.cli.main", "serve", "--port", "0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.lines: list[dict[str, Any]] = []
        self._ready = threading.Event()
        self.url = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._ready.wait(_STARTING_SECONDS):
            self.process.kill()
            raise ControlDagError("The service did not start.", remedy=f"Its log: {self.lines[-3:]}")

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            entry = _entry(line)
            self.lines.append(entry)
            if entry["event"] == "listening":
                self.url = entry["url"]
            if entry["event"] == "ready":
                self._ready.set()

    def finish(self, seconds: float = 60) -> int:
        """The exit status, once all that it logged was read."""
        status = self.process.wait(seconds)
        self._reader.join(seconds)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status


def _entry(line: str) -> dict[str, Any]:
    """A line of the log; what Python itself says of processes that were killed is none, and kept as it is."""
    try:
        found: dict[str, Any] = json.loads(line)
    except ValueError:
        return {"event": "", "text": line.rstrip()}
    return found


@contextmanager
def served_process(*options: str) -> Iterator[ServedProcess]:
    """A running service, killed in the end where it has not ended."""
    served = ServedProcess(*options)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.process.kill()
        served.finish()
