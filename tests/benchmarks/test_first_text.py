"""`controldag bench first-text`: what it runs says something, and what it keeps can be judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.end_to_end import first_text
from controldag.checkpoint.folder import has_weights
from controldag.errors import InvalidInput


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights are not in this copy")
def test_it_times_every_command_and_keeps_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_text, "FILE", tmp_path / "first-text.json")
    done = CliRunner().invoke(app, ["first-text", "--times", "1", "--save"], catch_exceptions=False)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["--help", "sgd-mini", "dart-mini"]
    kept = json.loads((tmp_path / "first-text.json").read_text("utf-8"))
    assert kept["settings"]["times"] == 1 and kept["machine"]["cores"]
    for found in kept["figures"].values():
        assert 0 < found["least_s"] <= found["median_s"] and found["processor_s"] > 0


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(InvalidInput, match=r"There is no nope\.jsonl"):
        first_text.timed(["generate", "--in", "nope.jsonl"], 1)
