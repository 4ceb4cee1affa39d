"""`python -m recipes reproduce` with the tiny checkpoint: rows run, those there stay, those without weights say so."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.data.write import write_examples
from controldag.errors import ControlDagError, InvalidInput
from controldag.training.toy import toy_examples
from recipes.__main__ import app
from recipes.reproduce import run as reproduction
from tests.unit.generation.tiny_checkpoint import schema_as_json


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sgd/test.jsonl.gz, dev.jsonl, train.jsonl and schema, as the data folder and the working folder."""
    data = tmp_path / "sgd"
    data.mkdir()
    write_examples(data / "test.jsonl.gz", toy_examples(4, 5))
    write_examples(data / "dev.jsonl", toy_examples(3, 6))
    write_examples(data / "train.jsonl", toy_examples(20, 7))
    (data / "schema.json").write_text(json.dumps(schema_as_json()))
    monkeypatch.setenv("CONTROLDAG_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(
        app, ["reproduce", "sgd", "--draws", "10", "--timed", "2", *map(str, arguments)], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


def rows(*arguments: object) -> dict[str, Any]:
    return {row["key"]: row for row in json.loads(run(*arguments, "--json", "--quiet"))["rows"]}


def test_rows_run_once(place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rows("--model", f"ours={folder}", "--model", "mini=nowhere")
    ours = first["ours--control-dag"]["report"]
    assert (ours["n"], ours["ser"], ours["ser_strict"], ours["fallbacks"], ours["timed"]) == (4, 0, 0, 0, 2)
    assert "one request at a time" in ours["signatures"]["latency"]
    assert first["twin--ar-greedy"]["missing"] == "the weights of sgd-small-ar are not here"
    assert first["templates"]["missing"] == "no templates given"
    assert first["nearest-template"]["report"]["n"] == 4
    kept = place / "results/reproduce/sgd"
    text = (kept / "test.md").read_text()
    assert "(22.90)" in text and "Control-DAG against the others" in text
    assert (kept / "test.png").read_bytes().startswith(b"\x89PNG")
    scored = len((place / "results/test-log.jsonl").read_text().splitlines())
    assert scored == sum(row["report"] is not None for row in first.values())

    monkeypatch.setattr(reproduction, "load_system", None)  # what is there must not be run again
    assert rows("--model", f"ours={folder}", "--model", "mini=nowhere") == first
    assert len((place / "results/test-log.jsonl").read_text().splitlines()) == scored
    (kept / "test" / "ours--greedy.outputs.json").write_text("{")
    with pytest.raises(TypeError):
        rows("--model", f"ours={folder}", "--model", "mini=nowhere")


def test_latency_alone_is_measured_again(place: Path, folder: Path) -> None:
    arguments = ("--model", f"ours={folder}", "--model", "mini=nowhere", "--data", "sgd/dev.jsonl")
    rows(*arguments)
    kept = place / "results/reproduce/sgd/dev"
    before = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    again = rows(*arguments, "--timed", 1)["ours--greedy"]["report"]
    after = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    changed = {name for name in after if before[name] != after[name]}
    assert changed and all(name.endswith(".latency.json") for name in changed)
    assert again["timed"] == 1 and again["p99_ms"] > 0
    untimed = rows(*arguments, "--timed", 0)["ours--greedy"]["report"]
    assert untimed["p99_ms"] is None and untimed["signatures"]["latency"] == "not measured"
    assert not (place / "results/reproduce/sgd/dev.png").exists()


def test_the_autoregressive_twin_is_a_row_like_others(place: Path, folder: Path, twin_folder: Path) -> None:
    found = rows("--model", f"twin={twin_folder}", "--model", "mini=nowhere", "--like", folder, "--limit", 2)
    report = found["twin--ar-constrained-beam"]["report"]
    assert report["n"] == 2 and report["system"]["decoder"] == "ar-constrained-beam" and report["ser"] == 0.0
    assert found["ours--control-dag"]["missing"]


def test_development_data_and_a_run_fresh_from_training(place: Path, folder: Path) -> None:
    fresh = place / "runs" / "sgd-small-fuzzy" / "final"
    shutil.copytree(folder, fresh)
    shown = run("--data", "sgd/dev.jsonl", "--model", "mini=nowhere")
    assert "Control-DAG" in shown and "22.90" not in shown
    assert not (place / "results/test-log.jsonl").exists()
    other = rows("--data", "sgd/dev.jsonl", "--model", "mini=nowhere", "--again", "--limit", 2, "--out", "elsewhere")
    assert other["ours--greedy"]["report"]["n"] == 2
    assert (place / "elsewhere/sgd/dev/ours--greedy.jsonl.gz").is_file()


def test_texts_made_elsewhere_are_scored_here(place: Path, folder: Path, twin_folder: Path) -> None:
    fresh = place / "runs" / "sgd-small-fuzzy" / "final"
    shutil.copytree(folder, fresh)
    (place / "tuned.json").write_text(json.dumps({"figures": {"best": {"settings": {"normalisation": 0.5}}}}))
    choice = ("--only", "ours,twin", "--tuned", "ours=tuned.json", "--setting", "ours/beam.beams=2")
    there = ("--model", f"twin={twin_folder}", "--like", f"twin={folder}", "--batch", 2)
    kept = place / "results/reproduce/sgd"
    run(*choice, *there, "--decode-only", "--quiet", "--decoders", "greedy")
    assert {path.name.partition(".")[0] for path in (kept / "test").iterdir()} == {"ours--greedy"}
    run(*choice, *there, "--decode-only", "--quiet")
    names = {path.name for path in (kept / "test").iterdir()}
    assert {"ours--beam.jsonl.gz", "ours--beam.outputs.json", "twin--ar-beam.latency.json"} <= names
    assert "ours--beam.json" not in names and not (place / "results/test-log.jsonl").exists()
    made = json.loads((kept / "test/ours--beam.outputs.json").read_text())
    assert made["fingerprint"]["settings"] == {"normalisation": 0.5, "beams": 2}
    assert made["system"]["model"] == "sgd-small-fuzzy" and made["system"]["settings"]["beams"] == 2

    shutil.rmtree(fresh)  # the weights stay where they were trained
    found = rows(*choice, "--model", f"twin={twin_folder.name}")
    assert found["ours--control-dag"]["report"]["n"] == found["twin--ar-beam"]["report"]["n"] == 4
    assert found["ours--control-dag"]["report"]["timed"] == 2
    assert found["nearest-template"]["missing"] == "it was left out with --only or --decoders"
    assert found["mini--greedy"]["missing"] == "it was left out with --only or --decoders"
    assert rows("--only", "ours")["ours--beam"]["missing"] == "the weights of sgd-small-fuzzy are not here"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--only", "us"), "--only"),
        (("--decoders", "gready"), "--decoders"),
        (("--setting", "ours=3"), "--setting"),
        (("--setting", "theirs.beams=3"), "--setting"),
        (("--setting", "ours.beam=3"), "setting"),
        (("--tuned", "theirs=x"), "--tuned"),
        (("--tuned", "ours=sgd/schema.json"), "tune"),
        (("--like", "theirs=x"), "--like"),
    ],
)
def test_wrong_choices_are_told(place: Path, given: tuple[str, ...], message: str) -> None:
    with pytest.raises(ControlDagError, match=message):
        run(*given)


@pytest.mark.parametrize("given", ["ours", "theirs=x", "ours="])
def test_wrong_models_are_told(place: Path, given: str) -> None:
    with pytest.raises(InvalidInput, match="--model"):
        run("--model", given)


def test_decoding_and_tuning_need_no_package_for_scoring() -> None:
    program = (
        "import sys; sys.modules['spellchecker'] = sys.modules['matplotlib'] = None\n"
        "import recipes.reproduce.command, recipes.tune.command"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
