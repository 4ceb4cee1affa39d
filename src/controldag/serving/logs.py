"""Structured logs: one JSON object a line on standard error, none of which can stop the service."""

from __future__ import annotations

import datetime
import json
import logging
import sys
from pathlib import Path
from traceback import extract_tb
from typing import Any, TextIO

from controldag.serving.metrics import Metrics

_KEPT = ("critical", "error", "warning", "info", "debug")


class JsonLog:
    """Writes events. A line that cannot be written (a full disk, a closed pipe) is counted, not raised."""

    def __init__(self, metrics: Metrics, stream: TextIO | None = None) -> None:
        self.metrics = metrics
        self._stream = stream if stream is not None else sys.stderr

    def write(self, event: str, *, level: str = "info", **fields: Any) -> None:
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "level": level, "event": event, **fields}, default=str)
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self.metrics.lost_log_lines.inc()

    def fault(self, error: BaseException, **fields: Any) -> None:
        """Writes a bug of ours: where it was met, not what the message says, which may hold a user's text."""
        frames = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)]
        self.write("fault", level="error", kind=type(error).__name__, frames=frames, **fields)


class ForwardingHandler(logging.Handler):
    """Sends what libraries log (uvicorn's start and stop) to a JsonLog."""

    def __init__(self, log: JsonLog) -> None:
        super().__init__(logging.INFO)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelname.lower()
        if record.exc_info is not None and record.exc_info[1] is not None:
            self._log.fault(record.exc_info[1], logger=record.name)
        else:
            known = level if level in _KEPT else "info"
            self._log.write("library", level=known, logger=record.name, message=record.getMessage())
