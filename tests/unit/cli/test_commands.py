"""The command line as a whole: which verbs there are, and the one that hands over to the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controldag.cli import bench
from controldag.cli.main import COMMANDS, app
from controldag.errors import InvalidInput

VERBS = {"generate", "verify", "inspect", "serve", "evaluate", "train", "package", "data"}


def test_there_are_eight_verbs_and_two_for_the_first_hour() -> None:
    assert set(COMMANDS) == VERBS | {"demo", "new-service"}


def test_every_command_has_help() -> None:
    for name in COMMANDS:
        assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


def test_benchmarks_are_those_of_the_repository() -> None:
    shown = CliRunner().invoke(app, ["bench", "--help"])
    assert shown.exit_code == 0
    assert "end-to-end" in shown.output


def test_without_the_repository_it_says_where_benchmarks_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench.controldag, "__file__", str(tmp_path / "site-packages" / "controldag" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"`benchmarks/` of its repository.* Get the repository"):
        CliRunner().invoke(app, ["bench", "engine"], catch_exceptions=False)
