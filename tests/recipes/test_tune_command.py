"""`python -m recipes tune` with the tiny checkpoint, and its best settings in `reproduce`."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.data import samples
from controldag.data.write import write_examples
from controldag.errors import ControlDagError
from controldag.text.words import WordFile
from controldag.training.toy import toy_examples
from recipes.__main__ import app
from tests.unit.generation.tiny_checkpoint import schema_as_json


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with dev.jsonl, train.jsonl and schema."""
    write_examples(tmp_path / "dev.jsonl", toy_examples(8, 6))
    write_examples(tmp_path / "train.jsonl", toy_examples(2, 7))
    (tmp_path / "schema.json").write_text(json.dumps(schema_as_json()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_cell_has_figures_and_the_best_is_kept(place: Path, folder: Path) -> None:
    tune = ("tune", folder, "--data", "dev.jsonl", "--decoder", "control-dag", "--set", "normalisation=0.5,1.5")
    figures: dict[str, Any] = json.loads(
        run(*tune, "--set", "say_once=true,false", "--every", 2, "--out", "t.json", "--json")
    )
    assert [cell["settings"] for cell in figures["cells"]] == [
        {"normalisation": beta, "say_once": once} for beta in (0.5, 1.5) for once in (True, False)
    ]
    best = figures["best"]
    assert best in figures["cells"] and best["score"] == max(cell["score"] for cell in figures["cells"])
    assert best["ser"] == 0.0 and best["empty"] == 0.0 and 0 < best["bp"] <= 1
    kept = json.loads((place / "t.json").read_text())
    assert kept["figures"] == figures and kept["settings"]["n"] == 4 and {"machine", "commit"} <= set(kept)
    assert "best (" in run(*tune)


def test_unseen_services_count_half(place: Path, folder: Path) -> None:
    shutil.copy(samples.ACTS, place / "train.jsonl")
    figures = json.loads(run("tune", folder, "--data", "dev.jsonl", "--set", "beams=2", "--decoder", "beam", "--json"))
    cell = figures["best"]
    assert cell["score"] == pytest.approx((cell["bleu"] + cell["bleu_unseen"]) / 2, abs=1e-4)
    assert "unseen" in figures["chosen_by"]


def test_a_twins_beam(place: Path, folder: Path, twin_folder: Path) -> None:
    figures = json.loads(
        run(
            "tune", twin_folder, "--like", folder, "--data", "dev.jsonl", "--decoder", "ar-beam", "--limit", 2,
            "--set", "length_penalty=0,1.5", "--json",
        )
    )  # fmt: skip
    assert len(figures["cells"]) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((), "--set"),
        (("--set", "beams"), "KEY=V1"),
        (("--set", "beam=2"), "beams"),
        (("--set", "beams=x"), "int"),
        (("--set", "decoder=beam"), "decoder"),
        (("--set", "beams=2", "--data", "test.jsonl"), "no test data"),
    ],
)
def test_wrong_use_is_told(place: Path, folder: Path, given: tuple[str, ...], message: str) -> None:
    (place / "test.jsonl").touch()
    with pytest.raises(ControlDagError, match=message):
        run("tune", folder, *(given if "--data" in given else ("--data", "dev.jsonl", *given)))


def test_word_lists_are_tried(place: Path, folder: Path) -> None:
    shutil.copy(folder / "words.txt", place / "all.txt")
    listed = WordFile.load(place / "all.txt")
    replace(listed, words=listed.words - {"They"}).save(place / "few.txt")
    lists = ("--words", "few.txt", "--words", "all.txt")
    figures = json.loads(run("tune", folder, "--data", "dev.jsonl", *lists, "--out", "t.json", "--json"))
    assert [(cell["words"], cell["listed"]) for cell in figures["cells"]] == [("few", 13), ("all", 14)]
    plain = json.loads(run("tune", folder, "--data", "dev.jsonl", "--set", "normalisation=1.0", "--json"))
    assert figures["cells"][1]["bleu"] == plain["best"]["bleu"]
    with pytest.raises(ControlDagError, match="no settings"):
        run("reproduce", "sgd", "--data", "dev.jsonl", "--tuned", "ours=t.json")
