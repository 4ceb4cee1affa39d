"""Writing files so that nothing half-written is ever left behind, and telling whether two are the same."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO


@contextmanager
def atomic_write(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file that takes the name `path` only when the block ends without an error.

    It is written beside `path` under a temporary name, flushed to disk and renamed; on an error it is removed
    and what stood at `path` stays.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; give this one the permissions any new file would have.
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def atomic_write_text(path: str | Path) -> Iterator[IO[str]]:
    """As `atomic_write`, for UTF-8 text; compressed (with a fixed time stamp) where the name ends in `.gz`."""
    with atomic_write(path) as binary:
        if Path(path).suffix == ".gz":
            with (
                gzip.GzipFile(fileobj=binary, mode="wb", filename="", mtime=0) as packed,
                io.TextIOWrapper(packed, "utf-8", newline="\n") as text,
            ):
                yield text
        else:
            plain = io.TextIOWrapper(binary, "utf-8", newline="\n")
            yield plain
            plain.flush()
            plain.detach()


def json_text(value: Any) -> str:
    """What `write_json` writes: indented JSON with a final newline."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write_json(path: str | Path, value: Any) -> None:
    """Writes `value` as indented JSON with a final newline, atomically."""
    with atomic_write_text(path) as file:
        file.write(json_text(value))


def append_line(path: str | Path, line: str) -> None:
    """Adds one line to a log, which is made where there is none; earlier lines are never touched."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # One write of a whole line: a crash leaves the line out or in, and two writers do not mix theirs.
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line + "\n")


def sha256_of(path: str | Path) -> str:
    """The SHA-256 of a file's content, read a block at a time."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
