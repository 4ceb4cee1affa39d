"""`controldag verify` and the figures of meaning in `evaluate`, with the bundled verifiers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.cli import verifier_input
from controldag.cli.main import app
from controldag.data import samples
from controldag.errors import ControlDagError, DataError
from controldag.verifier import bundled

WEIGHTS = [Path(bundled.__file__).parents[1] / "pretrained" / name for name in (bundled.GENERATION, bundled.METRIC)]
with_weights = pytest.mark.skipif(
    not all((folder / "model.safetensors").is_file() for folder in WEIGHTS), reason="no weights of the verifiers here"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """dev.jsonl with its schema, and said.txt: each reference, but for the second record that of the third."""
    shutil.copy(samples.ACTS, tmp_path / "dev.jsonl")
    shutil.copy(samples.SCHEMA, tmp_path / "schema.json")
    texts = [json.loads(line)["target"] for line in samples.ACTS.read_text("utf-8").splitlines()]
    texts[1] = texts[2]
    (tmp_path / "said.txt").write_text("\n".join(texts), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def verified(*arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("verify", "--data", "dev.jsonl", *arguments, "--json", "-q").splitlines()]


@with_weights
def test_an_object_a_text(folder: Path) -> None:
    found = verified("--outputs", "said.txt")
    ids = [json.loads(line)["id"] for line in samples.ACTS.read_text("utf-8").splitlines()]
    assert [each["id"] for each in found] == ids
    assert set(found[0]) == {"id", "text", "accepted", "score", "acts", "nothing_else", "whole_english"}
    # The text of another record is refused, and below all that are accepted.
    assert not found[1]["accepted"] and any(act["verdict"] != "said" for act in found[1]["acts"])
    assert all(each["accepted"] == (each["score"] >= 0) for each in found)
    for each in found:
        for act in each["acts"]:
            assert set(act) == {"act", "verdict", "probability", "places"} and 0 <= act["probability"] <= 1
            assert all(0 <= begin < end <= len(each["text"]) for begin, end in act["places"])


@with_weights
def test_a_line_for_each_refused_text_and_a_sum(folder: Path) -> None:
    lines = run("verify", "--data", "dev.jsonl", "--outputs", "said.txt", "--verifier", "verifier-check").splitlines()
    assert any(line.startswith("sample/acts_2: ") and "REQUEST" in line for line in lines)
    accepted = 12 - (len(lines) - 1)
    assert lines[-1].startswith(f"accepted: {accepted} of 12")


@with_weights
def test_several_texts_for_a_record_by_id(folder: Path) -> None:
    rows = [
        {"id": "sample/acts_3", "text": "x"},
        {"id": "sample/acts_1", "text": ""},
        {"id": "sample/acts_3", "text": "y"},
    ]
    (folder / "some.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert [(each["id"], each["text"]) for each in verified("--outputs", "some.jsonl")] == [
        (row["id"], row["text"]) for row in rows
    ]
    assert not any(each["accepted"] for each in verified("--outputs", "some.jsonl"))


@with_weights
def test_evaluate_has_figures_of_meaning(folder: Path) -> None:
    asked = ("evaluate", "--data", "dev.jsonl", "--outputs", "said.txt", "--draws", "5", "--json", "-q")
    found = json.loads(run(*asked))
    assert 100 / 12 <= found["meaning_text"] <= 100 and 0 < found["meaning_act"] <= 100
    assert found["broken_text"] is not None and "verifier-check" in found["signatures"]["meaning_text"]
    assert found["origin_graph"] is None
    without = json.loads(run(*asked, "--no-meaning"))
    assert without["meaning_text"] is None and without["bleu"] == found["bleu"]


def test_evaluate_says_where_meaning_cannot_be_judged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise DataError("there is no model.safetensors.", path=Path(name))

    monkeypatch.setattr(verifier_input, "bundled_verifier", missing)
    asked = ["evaluate", "--data", "dev.jsonl", "--outputs", "said.txt", "--draws", "5", "--json"]
    result = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert "no figures of meaning: verifier-check: there is no model.safetensors" in result.stderr
    report = json.loads(result.stdout)
    assert report["meaning_text"] is None and "not judged" in report["signatures"]["meaning_text"]
    with pytest.raises(DataError, match=r"model\.safetensors"):
        run(*asked, "--meaning")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--outputs", "missing.txt"), "missing.txt"),
        (("--outputs", "schema.json"), "12 lines"),
        (("--outputs", "said.txt", "--verifier", "nowhere"), "Name a folder with a verifier"),
        (("--outputs", "said.txt", "--schema", "other.json"), "Ferries_1"),
        (("--outputs", "unknown.jsonl"), "'nobody' is the id of no record"),
    ],
)
def test_wrong_use_is_told(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "unknown.jsonl").write_text('{"id": "nobody", "text": "x"}\n', "utf-8")
    services = json.loads((folder / "schema.json").read_text("utf-8"))
    (folder / "other.json").write_text(json.dumps(services[1:]), "utf-8")
    with pytest.raises(ControlDagError, match=message):
        run("verify", "--data", "dev.jsonl", *arguments)
