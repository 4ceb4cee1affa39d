"""Files divided by bytes: together the parts are the file, and lines keep their numbers."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from controldag.errors import InvalidInput
from controldag.scale.parts import divide, lines_of, open_lines


@pytest.mark.parametrize("content", [b"", b"a\nb\nc\n", b"a\n\n\xff\r\nno end", "ä\n€\n😀 \u2028 x\ry\n".encode()])
@pytest.mark.parametrize("lines", [1, 2, 100])
def test_the_parts_are_the_file(content: bytes, lines: int, tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(content)
    division = divide(path, lines)
    with open_lines(path) as file:
        all_lines = list(file)
    read = [list(lines_of(part.read(path))) for part in division.parts]
    assert [line for part in read for line in part] == all_lines
    assert [len(part) for part in read] == [part.lines for part in division.parts]
    assert all(all_lines[part.first - 1] == own[0] for part, own in zip(division.parts, read, strict=True))
    assert division.sha256 == hashlib.sha256(content).hexdigest()
    assert division.lines == len(all_lines)


def test_a_file_that_is_another_one_on_this_machine_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"a\nb\n")
    part = divide(path, 2).parts[0]
    path.write_bytes(b"a\n")
    with pytest.raises(InvalidInput, match="same file on every machine"):
        part.read(path)
