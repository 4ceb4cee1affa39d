"""Bytes and lines of a file that may be compressed, broken or endless, with errors that say where."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from controldag.errors import DataError

MAX_RECORD_BYTES = 16 * 2**20
"""The longest line or JSON element that is read: the largest real one has some ten thousand bytes."""

_GZIP_MAGIC = b"\x1f\x8b"


def open_bytes(path: Path) -> io.BufferedReader:
    """The file's bytes, decompressed where it is gzip (by its name or its first bytes)."""
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise DataError("the file does not exist.", path=path, remedy="Check the path.") from None
    except IsADirectoryError:
        raise DataError("is a folder, not a file.", path=path, remedy="Name a file in it.") from None
    start = raw.peek(2)[:2]
    packed = start == _GZIP_MAGIC
    if path.suffix == ".gz" and not packed:
        raw.close()
        what = "is not gzip, though its name ends in .gz" if start else "is empty"
        raise DataError(f"the file {what}.", path=path, remedy="Fetch it again, or rename it.")
    if not packed:
        return raw
    return _GzipReader(raw)


class _GzipReader(io.BufferedReader):
    """Buffered decompressed bytes; closing it closes the compressed file too."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(cast(io.RawIOBase, gzip.GzipFile(fileobj=packed, mode="rb")), 2**17)
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


@contextmanager
def compression_errors(path: Path, position: list[int]) -> Iterator[None]:
    """Turns a failure of decompression inside the block into a `DataError` at line (or entry) `position[0]`."""
    try:
        yield
    except EOFError:
        message = "the gzip data ends too early: the file is truncated."
    except (gzip.BadGzipFile, zlib.error) as error:
        message = f"the gzip data is damaged ({error})."
    else:
        return
    raise DataError(message, path=path, line=position[0], remedy="Fetch or write the file again.")


def read_lines(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines (from 1) that are not blank, without their line ends.

    A line over `MAX_RECORD_BYTES` and a failure of decompression end the file with a `DataError`.
    """
    number = [1]
    with compression_errors(path, number):
        while line := stream.readline(MAX_RECORD_BYTES):
            if len(line) == MAX_RECORD_BYTES and not line.endswith(b"\n"):
                raise DataError(
                    f"the line is longer than {MAX_RECORD_BYTES:,} bytes.",
                    path=path,
                    line=number[0],
                    remedy="Write one record a line.",
                )
            line = line.strip()
            if line:
                yield number[0], line
            number[0] += 1
