"""The data commands, as a script meets them: output, exit code, one line of error, nothing half-written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from controldag.cli import main
from controldag.data import samples
from controldag.data.read import read_examples


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["controldag", *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        main.main()
    return int(stop.value.code or 0)


def bad_copy(tmp_path: Path) -> Path:
    path = tmp_path / "bad.jsonl"
    lines = samples.ACTS.read_text("utf-8").splitlines()
    lines[2] = "[]"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_convert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out" / "acts.jsonl.gz"
    assert run(monkeypatch, "data", "convert", samples.ACTS, target, "--for-training", "--json") == 0
    assert json.loads(capsys.readouterr().out)["written"] == 12
    assert list(read_examples(target)) == list(read_examples(samples.ACTS))
    assert run(monkeypatch, "data", "convert", samples.TRIPLES, target, "--limit", 3) == 0
    assert len(list(read_examples(target))) == 3


def test_bad_input_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = bad_copy(tmp_path), tmp_path / "out.jsonl"
    assert run(monkeypatch, "data", "convert", source, target) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "bad.jsonl:3: field `record`: must be an object, but is a list." in error
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]
    assert run(monkeypatch, "data", "convert", source, target, "--skip-bad", "--json") == 0
    result = capsys.readouterr()
    assert json.loads(result.out)["written"] == 11
    assert json.loads(result.out)["skipped"] == 1
    assert "1 bad record skipped" in result.err


def test_linearise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "data", "linearise", samples.ACTS, "--limit", 1) == 0
    assert capsys.readouterr().out == "REQUEST ( Port the ferry leaves from )\n"
    out = tmp_path / "inputs.jsonl"
    words = ("--as", "template-guided", "--templates", samples.TEMPLATES, "--json", "--out", out)
    assert run(monkeypatch, "data", "linearise", samples.ACTS, *words) == 0
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) == 12
    assert rows[3] == {"id": "sample/acts_4", "input": "It carries cars.", "target": "Yes, it carries cars."}
    assert run(monkeypatch, "data", "linearise", samples.ACTS, "--as", "nonsense") == 2
    assert "schema-guided, naive" in capsys.readouterr().err


def test_templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "said.txt"
    words = ("data", "templates", samples.ACTS, "--templates", samples.TEMPLATES)
    assert run(monkeypatch, *words, "--out", out, "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["records"], figures["ser"]) == (12, 0.0)
    assert 20 < figures["bleu"] < 80
    assert len(out.read_text("utf-8").splitlines()) == 12
    assert run(monkeypatch, *words) == 0
    assert "BLEU" in capsys.readouterr().out


def test_demo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "data", "demo", "--json") == 0
    shown = json.loads(capsys.readouterr().out)["examples"]
    assert len(shown) == 20
    assert shown[4]["must say"] == "Port Ellen | Kennacraig | 7:40 am"
    assert run(monkeypatch, "data", "demo") == 0
    assert "[TABLECONTEXT]" in capsys.readouterr().out


@pytest.mark.realdata
def test_bench(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--data", samples.ACTS, "--tokenizer", data / "t5" / "spiece.model", "--json", "--save")
    assert run(monkeypatch, "bench", "data", *words) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures["records"] == 12
    assert json.loads(Path("benchmarks/results/data.json").read_text("utf-8"))["figures"] == figures


def test_bench_without_data_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONTROLDAG_DATA", str(tmp_path / "nowhere"))
    assert run(monkeypatch, "bench", "data") == 2
    assert "Set CONTROLDAG_DATA" in capsys.readouterr().err
