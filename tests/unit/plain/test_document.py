"""The page on plain sentences says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controldag.data.act_syntax import parse_act
from controldag.data.records import Example
from controldag.data.schema import Schema, Service, Slot
from controldag.plain import plain_text

PAGE = (Path(__file__).parents[3] / "docs" / "plain.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.*?) ?\| `([^`]+)` \| (.+) \|$", PAGE, flags=re.MULTILINE)
PROGRAM = re.search(r"```python\n(.*?)```\n\nIt prints:\n\n```text\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize(("slot", "description", "act", "text"), ROWS)
def test_rows(slot: str, description: str, act: str, text: str) -> None:
    schema = Schema({"Any_1": Service("Any_1", slots={slot: Slot(slot, description)})})
    assert plain_text(Example("x", acts=(parse_act(act.replace("\\|", "|")),), service="Any_1"), schema) == text


def test_there_are_rows() -> None:
    assert len(ROWS) > 15


def test_the_program_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert PROGRAM is not None
    exec(PROGRAM[1], {})
    assert capsys.readouterr().out == PROGRAM[2]
