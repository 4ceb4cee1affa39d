"""Where things stand: tests in the folder of what they test, and no file too long to read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "src" / "controldag", ROOT / "tests" / "unit"
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists())
FILES = [path for path in TESTS.rglob("test_*.py") if path.parent != TESTS]
READ = ("src", "tests", "recipes", "tools", "benchmarks", "cpp", "examples")
ENDINGS = {".py", ".pyi", ".cc", ".h", ".js", ".css", ".html", ".sh"}


def test_every_room_has_tests_and_every_folder_of_tests_is_a_room() -> None:
    assert sorted({path.relative_to(TESTS).parts[0] for path in FILES}) == [
        room for room in ROOMS if room != "pretrained"
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_a_test_is_of_the_room_that_it_stands_in(path: Path) -> None:
    room = path.relative_to(TESTS).parts[0]
    assert re.search(rf"\b(controldag|unit)(\.|/| import ){room}\b", path.read_text("utf-8")), f"nothing of {room}"


def test_no_file_is_over_400_lines() -> None:
    files = (path for folder in READ for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS)
    lines = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in files}
    assert {path: count for path, count in lines.items() if count > 400} == {}
