"""JSON that is checked and streamed: one element of an array at a time, never the whole file."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from json.decoder import JSONDecodeError
from pathlib import Path
from typing import Any, NoReturn

from controldag.data.lines import MAX_RECORD_BYTES, compression_errors
from controldag.errors import DataError

_CHUNK_BYTES = 2**18
_BLANKS = re.compile(r"[ \t\r\n]*")
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def parse_line(line: bytes, path: Path, number: int) -> Any:
    """The JSON value on a line; anything else than valid JSON in UTF-8 is a `DataError`."""
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        value = json.loads(text)
    except UnicodeDecodeError as error:
        raise not_utf8(error.start + 1, path, number) from None
    except JSONDecodeError as error:
        raise DataError(
            f"invalid JSON: {error.msg} (column {error.colno}).",
            path=path,
            line=number,
            remedy="Write one JSON object a line.",
        ) from None
    except (RecursionError, ValueError) as error:
        raise DataError(
            f"JSON that cannot be read: {error}.", path=path, line=number, remedy="Write plain records."
        ) from None
    if _ESCAPED_SURROGATE.search(line):
        refuse_lone_surrogates(value, path, number)
    return value


def not_utf8(column: int, path: Path, number: int) -> DataError:
    """The error for bytes that are no text."""
    return DataError(f"byte {column} is not UTF-8.", path=path, line=number, remedy="Save the file as UTF-8.")


def refuse_lone_surrogates(value: Any, path: Path, number: int) -> None:
    """Raises a `DataError` where a string holds half of a surrogate pair: no file could ever hold such text."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(error.object[error.start])
        raise DataError(
            f"a string holds the lone surrogate \\u{code:04x}, which is no character.",
            path=path,
            line=number,
            remedy="Write the whole pair, or leave it out.",
        ) from None


def read_array(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, Any]]:
    """Numbered elements (from 1) of the JSON array that is the whole file.

    Memory is bounded by the largest element, which may have `MAX_RECORD_BYTES` characters. Whatever is wrong with
    the syntax ends the file with a `DataError`: what follows it cannot be told apart.
    """
    window = _Window(stream, path)
    with compression_errors(path, window.entry):
        window.expect("[", "a JSON array must start with [")
        if window.accept("]"):
            window.expect_end()
            return
        while True:
            value = window.element()
            refuse_lone_surrogates(value, path, window.entry[0])
            yield window.entry[0], value
            window.entry[0] += 1
            if window.accept("]"):
                window.expect_end()
                return
            window.expect(",", "elements of an array must be separated by commas")


class _Window:
    """The part of a file's text that is not yet parsed, grown when an element does not fit in it."""

    def __init__(self, stream: io.BufferedReader, path: Path) -> None:
        self.entry = [1]
        self._stream = stream
        self._path = path
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._ended = False

    def accept(self, symbol: str) -> bool:
        """Whether `symbol` comes next after blanks; it is then consumed."""
        if self._peek() != symbol:
            return False
        self._at += 1
        return True

    def expect(self, symbol: str, rule: str) -> None:
        """Consumes `symbol`, or raises."""
        if not self.accept(symbol):
            found = self._peek()
            self._fail(f"{rule}, but {f'{found!r} stands there' if found else 'the file ends'}.")

    def expect_end(self) -> None:
        """Raises unless only blanks follow."""
        if self._peek():
            self._fail("something follows the end of the array.")

    def element(self) -> Any:
        """The next JSON value; reads on until it is complete."""
        self._peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except JSONDecodeError as error:
                # The value may only be cut by the window's edge: more text decides it.
                problem = f"invalid JSON: {error.msg}."
            except (RecursionError, ValueError) as error:
                self._fail(f"JSON that cannot be read: {error}.")
            else:
                if end < len(self._text) or self._ended:
                    self._at = end
                    return value
                problem = ""  # a number at the edge may go on
            if self._ended:
                self._fail(problem)
            if len(self._text) - self._at > MAX_RECORD_BYTES:
                self._fail(problem or f"an element is longer than {MAX_RECORD_BYTES:,} characters.")
            # Doubling keeps the work of trying again linear in the element's size.
            self._grow(max(_CHUNK_BYTES, len(self._text) - self._at))

    def _peek(self) -> str:
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            self._at = blanks.end() if blanks else self._at
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._grow(_CHUNK_BYTES)

    def _grow(self, size: int) -> None:
        data = self._stream.read(size)
        self._ended = not data
        try:
            more = self._decoder.decode(data, final=self._ended)
        except UnicodeDecodeError:
            self._fail("the file holds bytes that are not UTF-8.", remedy="Save the file as UTF-8.")
        self._text = self._text[self._at :] + more
        self._at = 0

    def _fail(
        self, message: str, remedy: str = "Mend the file; the number is that of the array's element."
    ) -> NoReturn:
        raise DataError(message, path=self._path, line=self.entry[0], remedy=remedy)
