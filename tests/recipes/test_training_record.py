"""A finished run is kept with the circumstances it ran under; anything else is one clear error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.errors import DataError
from recipes.__main__ import app
from recipes.training_record.record import record_run

RESULTS: dict[str, Any] = {
    "name": "tiny",
    "options": {"data": {"dataset": "sgd"}},
    "minutes": 1.5,
    "parameters": 7,
    "progress": {"step": 100, "seconds": 90.0},
    "epochs": 2.5,
    "examples_per_s": 12.5,
    "peak_gib": 1.25,
    "dev": {"greedy": {"bleu": 20.0, "ser": 3.0, "ser_seen": 2.0}},
    "device": "some GPU",
    "torch": "2.0",
    "date": "2026-01-01T00:00:00+00:00",
    "commit": "unknown",
    "version": "0.0.1",
    "machine": {"processor": "p", "cores": 4, "system": "s", "python": "3"},
}


def _run(folder: Path, **changes: Any) -> Path:
    folder.mkdir()
    (folder / "results.json").write_text(json.dumps(RESULTS | changes), "utf-8")
    reports = [{"step": s, "loss": 1 / s, "wrong": 0.5, "learning_rate": 1e-3, "epoch": s / 40} for s in (50, 100)]
    lines = [*reports, {"step": 100, "validation": {}}]
    (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder


def test_figures_and_circumstances_are_the_runs(tmp_path: Path) -> None:
    figures, picture = record_run(_run(tmp_path / "run"), tmp_path / "out", commit="abc")
    kept = json.loads(figures.read_text("utf-8"))
    assert (figures.name, picture.name) == ("tiny.json", "tiny.png")
    assert kept["commit"] == "abc" and kept["date"] == RESULTS["date"] and kept["version"] == "0.0.1"
    assert kept["machine"] == RESULTS["machine"] | {"accelerator": "some GPU", "torch": "2.0"}
    assert kept["figures"]["dev"] == RESULTS["dev"] and kept["figures"]["seconds"] == 90.0
    assert kept["settings"] == {"config": RESULTS["options"], "minutes": 1.5}
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_another_seed_has_a_name_of_its_own(tmp_path: Path) -> None:
    figures, picture = record_run(_run(tmp_path / "run", options=RESULTS["options"] | {"seed": 3}), tmp_path)
    assert (figures.name, picture.name) == ("tiny-seed-3.json", "tiny-seed-3.png")


def test_dart_has_no_slot_errors(tmp_path: Path) -> None:
    figures, _ = record_run(_run(tmp_path / "run", options={"data": {"dataset": "dart"}}), tmp_path)
    assert json.loads(figures.read_text("utf-8"))["figures"]["dev"] == {"greedy": {"bleu": 20.0}}


def test_the_command_names_what_it_wrote(tmp_path: Path) -> None:
    run = _run(tmp_path / "run")
    done = CliRunner().invoke(app, ["training-record", str(run), "--out", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 0, done.output
    assert Path(json.loads(done.stdout)["curves"]).is_file()


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("results.json", None, "cannot be read"),
        ("results.json", "{", "cannot be read"),
        ("results.json", '{"name": "x"}', "lacks dev"),
        ("log.jsonl", '{"step": 1, "validation": {}}\n', "no report"),
    ],
)
def test_what_is_no_finished_run_is_refused(tmp_path: Path, name: str, content: str | None, match: str) -> None:
    run = _run(tmp_path / "run")
    (run / name).unlink()
    if content is not None:
        (run / name).write_text(content, "utf-8")
    with pytest.raises(DataError, match=match):
        record_run(run, tmp_path / "out")
    assert not (tmp_path / "out").exists()
