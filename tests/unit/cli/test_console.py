"""What every command promises a script: exit codes, one line of error, results alone on standard output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controldag.cli import console
from controldag.cli.console import ExitCode
from controldag.data import samples
from controldag.errors import DataError, MissingDependency

COMMAND = (sys.executable, "-m", "controldag.cli.main")


def raising(error: BaseException) -> Callable[[], None]:
    def app() -> None:
        raise error

    return app


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (DataError("is [b]bad[/b].", path="x", line=3, remedy="Mend it."), 2, "error: x:3: is [b]bad[/b]. Mend it.\n"),
        (MissingDependency.of("torch", "model", "Training"), 2, "error: Training needs torch. Install it with: "),
        (PermissionError(13, "Permission denied", "x"), 2, "error: [Errno 13] Permission denied: 'x'\n"),
        (KeyError("k"), 1, "internal error: KeyError: 'k' (run again with --debug for the traceback"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (SystemExit(), 0, ""),
        (SystemExit(7), 7, ""),
    ],
)
def test_errors_are_one_line_and_an_exit_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert console.run(raising(error), debug=False) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(said)
    assert printed.err.count("\n") == bool(said)


def test_debug_adds_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.run(raising(DataError("is bad.", path="x")), debug=True) == ExitCode.BAD_INPUT
    printed = capsys.readouterr().err
    assert printed.startswith("Traceback")
    assert printed.endswith("error: x: is bad.\n")


def test_a_command_that_ends_well_gives_0() -> None:
    assert console.run(lambda: None, debug=False) == ExitCode.OK


def test_remarks_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    console.remark("written to [x]/" + "long" * 60)
    console.remark("unsaid", quiet=True)
    printed = capsys.readouterr()
    assert printed.err == "written to [x]/" + "long" * 60 + "\n"
    assert printed.out == ""


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    line = samples.ACTS.read_text("utf-8").splitlines()[0]
    many = tmp_path / "many.jsonl"
    many.write_text(f"{line}\n" * 20_000, "utf-8")
    words = ("data", "linearise", many, "--schema", samples.SCHEMA)
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"REQUEST ( Port the ferry leaves from )\n"
        process.stdout.close()
        assert process.wait(60) == ExitCode.OK
        assert process.stderr.read() == b""


@pytest.mark.parametrize(("place", "shown"), [(0, True), (2, True), (None, False)])
def test_debug_is_taken_from_anywhere_on_the_line(place: int | None, shown: bool) -> None:
    words = ["data", "linearise", "nowhere.jsonl"]
    if place is not None:
        words.insert(place, "--debug")
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == ExitCode.BAD_INPUT
    assert ("Traceback" in done.stderr) == shown
    assert "There is no nowhere.jsonl. Check the name." in done.stderr


def test_json_is_alone_on_standard_output() -> None:
    done = subprocess.run([*COMMAND, "data", "demo", "--json"], capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)["examples"]) == 20
    assert done.stderr == ""
