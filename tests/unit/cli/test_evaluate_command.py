"""`controldag evaluate` on outputs and templates, from our own samples."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.cli.main import app
from controldag.data import samples
from controldag.errors import InvalidInput


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder: test.jsonl, train.jsonl (the first half), schema.json, and the references as outputs."""
    shutil.copy(samples.ACTS, tmp_path / "test.jsonl")
    shutil.copy(samples.SCHEMA, tmp_path / "schema.json")
    lines = samples.ACTS.read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "train.jsonl").write_text("".join(lines[:6]), "utf-8")
    (tmp_path / "dev.jsonl").write_text("".join(lines), "utf-8")
    (tmp_path / "references.txt").write_text("".join(json.loads(line)["target"] + "\n" for line in lines), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments), "--draws", "20"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def report(*arguments: object) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(run(*arguments, "--json", "--quiet"))
    return printed


def test_references_as_outputs_are_perfect(folder: Path) -> None:
    found = report("--data", "dev.jsonl", "--outputs", "references.txt")
    wanted = (
        "n bleu bp ser ser_strict neo neo_independent unsupported eor empty fallbacks p50_ms p95_ms p99_ms signatures"
    )
    assert set(wanted.split()) <= set(found)
    assert (found["n"], found["bleu"], found["bp"], found["ser"], found["ser_strict"], found["neo"]) == (
        12,
        100,
        1,
        0,
        0,
        0,
    )
    assert found["splits"]["unseen"]["n"] == 6 and found["data"].endswith("dev.jsonl")
    assert not (folder / "results").exists()


def test_templates_are_scored_kept_and_compared(folder: Path) -> None:
    kept = folder / "said.jsonl"
    found = report(
        "--data", "dev.jsonl", "--decoder", "templates", "--templates", samples.TEMPLATES, "--out", kept, "--batch", 1,
        "--compare", "references.txt",
    )  # fmt: skip
    assert found["system"] == {"model": "", "decoder": "templates"}
    assert found["ser"] == 0.0 and 0 < found["bleu"] < 100 and found["p99_ms"] >= found["p50_ms"] > 0
    assert found["compare"]["all"]["bleu"]["difference"] == round(found["bleu"] - 100, 4)
    assert (found["origin_templates"], found["origin_graph"]) == (100.0, 0.0)
    again = report("--data", "dev.jsonl", "--outputs", kept, "--limit", 12)
    assert {name: again[name] for name in ("n", "bleu", "neo")} == {name: found[name] for name in ("n", "bleu", "neo")}
    assert again["p50_ms"] == pytest.approx(found["p50_ms"], abs=0.002)
    assert "one request at a time" in again["signatures"]["latency"]
    assert report("--data", "dev.jsonl", "--outputs", kept, "--limit", 5)["n"] == 5


def test_figures_are_kept_with_machine_and_commit(folder: Path) -> None:
    found = report("--data", "dev.jsonl", "--outputs", "references.txt", "--save", "kept.json")
    kept = json.loads((folder / "kept.json").read_text("utf-8"))
    assert kept["figures"] == found
    assert {"settings", "machine", "commit", "date"} <= set(kept)


def test_tables(folder: Path) -> None:
    shown = run("--data", "dev.jsonl", "--outputs", "references.txt", "--compare", "references.txt")
    for expected in ("references.txt on", "ser_strict", "unseen", "latency: not known", "paired bootstrap"):
        assert expected in shown


def test_scoring_test_is_logged(folder: Path) -> None:
    for before in range(2):
        report("--data", "test.jsonl", "--outputs", "references.txt")
        lines = (folder / "results/test-log.jsonl").read_text().splitlines()
        assert json.loads(lines[-1])["scored_before"] == before
    report("--data", "test.jsonl", "--outputs", "references.txt", "--log", "elsewhere.jsonl")
    assert (folder / "elsewhere.jsonl").exists()


def test_triples_without_training_data(folder: Path) -> None:
    triples = folder / "elsewhere" / "dart.jsonl"
    triples.parent.mkdir()
    shutil.copy(samples.TRIPLES, triples)
    texts = [json.loads(line)["references"][0] for line in samples.TRIPLES.read_text("utf-8").splitlines()]
    said = folder / "said.txt"
    said.write_text("\n".join(texts), "utf-8")
    found = report("--data", triples, "--outputs", said)
    assert found["bleu"] == 100 and found["bleu_single"] < 100 and found["ser"] is None and found["eor"] is None
    assert found["splits"] == {} and found["neo_strict"] is None
    assert report("--data", triples, "--outputs", said, "--train", triples)["neo_strict"] == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--model"),
        (("--outputs", "references.txt", "--model", "sgd-mini"), "--model"),
        (("--outputs", "missing.txt"), "missing.txt"),
        (("--outputs", "schema.json"), "12 lines"),
        (("--decoder", "greedy"), "model"),
    ],
)
def test_wrong_use_is_told(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        run("--data", "dev.jsonl", *arguments)
