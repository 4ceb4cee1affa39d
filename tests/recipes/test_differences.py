"""The page of differences: errors and closeness sort records, and both systems' bad sides are shown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controldag.data import samples
from controldag.data.read import read_examples
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.metrics.slot_error import missing_values
from recipes.__main__ import app

EXAMPLES = list(read_examples(samples.ACTS))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data, schema, references as outputs, and the same with an error, a text far off and an empty text."""
    shutil.copy(samples.ACTS, tmp_path / "dev.jsonl")
    shutil.copy(samples.SCHEMA, tmp_path / "schema.json")
    said = [example.target for example in EXAMPLES]
    (tmp_path / "good.txt").write_text("\n".join(said) + "\n")
    schema = Schema.load(samples.SCHEMA)
    with_values = next(i for i, example in enumerate(EXAMPLES) if missing_values(example, "", schema))
    without = next(i for i, example in enumerate(EXAMPLES) if not missing_values(example, "", schema))
    said[with_values], said[without] = "Hello <b>there</b>.", "Hello there."
    (tmp_path / "bad.txt").write_text("\n".join(said) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def page(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["differ", "page.md", "--data", "dev.jsonl", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return Path("page.md").read_text("utf-8")


def test_errors_and_closeness(place: Path) -> None:
    text = page("--outputs", "good=good.txt", "--outputs", "bad=bad.txt")
    assert f"{len(EXAMPLES) - 2} texts are the same." in text
    assert "only bad 1 times, only good 0 times" in text and "1 of good and 0 of bad" in text
    assert "### Only bad has an error" in text and "### Only good" not in text
    assert "### No error, good much closer" in text and "### No error, bad" not in text
    assert "Hello \\<b\\>there\\</b\\>." in text and "*bad* [ser, ser_strict" in text


def test_the_other_way_round(place: Path) -> None:
    text = page("--outputs", "bad=bad.txt", "--outputs", "good=good.txt", "--show", "1")
    assert "### Only bad has an error" in text and "### No error, good much closer" in text


def test_one_system_does_not_differ(place: Path) -> None:
    with pytest.raises(InvalidInput, match="at least 2 times"):
        page("--outputs", "good=good.txt")
