"""Writing files so that nothing half-written is ever left behind, and telling whether two are the same."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from controldag.errors import DataError

_OPEN = (Path("/dev"), Path("/dev/fd"), Path("/proc/self/fd"))
"""Where files that a process has open have names; in the first, `stdout` and `stderr` alone."""


@contextmanager
def atomic_write(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file that takes the name `path` only when the block ends without an error.

    It is written without a name in the folder of `path` (beside it under a temporary one, where the file system knows
    no files without), flushed to disk and renamed; on an error, or a kill, it is gone and what stood at `path` stays.
    A link is followed: what it points to is replaced, not the link. A device, a pipe or what this process has open
    (`/dev/stdout`) is written to as it is, from where it stands.
    """
    if _is_written_to(Path(path)):
        with os.fdopen(_as_it_is(path), "wb") as file:
            yield file
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name[:200]}.{secrets.token_hex(6)}.tmp"
    nameless = _nameless(path.parent)
    try:
        handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666) if nameless is None else nameless
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
            if nameless is not None:
                # A name for a moment, since a file without one cannot replace another. Only with a folder's handle
                # does Python follow the link, and an absolute path does not look at it.
                os.link(f"/proc/self/fd/{handle}", temporary, src_dir_fd=handle)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _nameless(folder: Path) -> int | None:
    """A new file in the folder that has no name and goes with its process; None where there is no such thing."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, os.O_RDWR | flag, 0o666)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            return None
        raise


def _is_written_to(path: Path) -> bool:
    """Whether what stands there takes what is written and cannot be replaced: a device, a pipe, an open file."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        return True
    given = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link that it is about
    return given.parent in _OPEN[1:] or str(given) in ("/dev/stdout", "/dev/stderr")


def _as_it_is(path: str | Path) -> int:
    """A handle for what stands there. To open anew what is open would empty the file behind it."""
    given = Path(os.path.abspath(path))  # noqa: PTH100 - as above
    name = {"stdout": "1", "stderr": "2"}.get(given.name, given.name)
    if given.parent in _OPEN and name.isdecimal():
        return os.dup(int(name))
    return os.open(path, os.O_WRONLY)


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


def read_json(path: str | Path) -> Any:
    """What a JSON file in UTF-8 holds; ValueError where it is none, or is nested deeper than Python can follow."""
    try:
        return json.loads(Path(path).read_text("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_format(path: str | Path, form: str, remedy: str) -> dict[str, Any]:
    """What a JSON file of ours holds beside its `format`, which must be `form`; else a DataError with the remedy."""
    try:
        content = read_json(path)
    except FileNotFoundError:
        raise DataError("there is no such file.", path=path, remedy=remedy) from None
    except ValueError as error:
        raise DataError(f"is not JSON in UTF-8 ({error}).", path=path, remedy=remedy) from error
    if not isinstance(content, dict) or content.pop("format", None) != form:
        raise DataError(f"must be {form!r}.", path=path, field="format", remedy=remedy)
    return content


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
