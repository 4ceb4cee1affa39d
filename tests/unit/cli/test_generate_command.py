"""`controldag generate` and `demo`, on the tiny checkpoint and without weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.checkpoint.choice import ModelChoice
from controldag.cli import demo
from controldag.cli.main import app
from controldag.errors import ControlDagError, Infeasible, InvalidInput
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.scale.job import FileJob
from tests.unit.generation.tiny_checkpoint import schema_as_json

OFFER = "OFFER(name=Alder Inn)"


def run(*arguments: object, given: str | None = None, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["generate", *map(str, arguments)], input=given)
    if isinstance(result.exception, ControlDagError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


def lines(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def test_one_input_from_the_line(folder: Path) -> None:
    wishes = (
        "--must",
        "Goyt",
        "--must-any",
        "Brent|Colne",
        "--must-not",
        "serves",
        "--length",
        "4-40",
        "--n-best",
        "2",
    )
    said = run("--model", folder, "--service", "Places_1", OFFER, *wishes).splitlines()
    assert len(said) == 2
    for text in said:
        assert "Alder Inn" in text and "Goyt" in text and ("Brent" in text or "Colne" in text) and "serves" not in text
    record = json.loads(run("--model", folder, "--service", "Places_1", OFFER, "--json"))
    assert record["constraints"][0]["satisfied"] and record["text"][slice(*record["constraints"][0]["spans"][0])]


def test_json_lines_keep_their_order_and_bad_ones_carry_their_error(folder: Path, tmp_path: Path) -> None:
    given = [
        {"id": "a", "service": "Places_1", "acts": [OFFER], "must": ["Esk"]},
        {"id": "b", "service": "Places_1", "acts": ["OFFER(name"]},
        {"id": "c", "service": "Nowhere", "acts": [OFFER]},
        {"id": "d", "service": "Places_1", "dialog_acts": [{"act": "REQUEST", "slot": "city", "values": []}]},
        {"id": "e", "service": "Places_1", "acts": [OFFER], "mist": 1},
        {"id": "f", "service": "Places_1", "acts": [OFFER], "must_not": ["Alder"]},
    ]
    text = "\n".join([*map(json.dumps, given), "[1]", "{", ""])
    printed = lines(run("--model", folder, "--in", "-", "--quiet", given=text, code=2))
    assert ["error" in each for each in printed] == [False, True, True, False, True, True, True, True]
    assert "Esk" in printed[0]["text"] and printed[3]["id"] == "d"
    assert "OFFER(name▸" in printed[1]["error"] and "stdin:2" in printed[1]["error"]
    assert "Known" in printed[2]["error"] and "mist" in printed[4]["error"]
    assert printed[5]["kind"] == "Infeasible"
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(given[0]) + "\n")
    run("--model", folder, "--in", source, "--out", target, "--quiet")
    assert lines(target.read_text())[0]["text"] == printed[0]["text"]


def test_a_line_says_whom_it_trusts_or_leaves_it_to_the_command(tmp_path: Path) -> None:
    defaults = Request((), trust="graph")
    assert request_of({"acts": [OFFER]}, defaults).trust == "graph"
    assert request_of({"acts": [OFFER], "trust": "verified"}, defaults).trust == "verified"
    with pytest.raises(InvalidInput, match="trust"):
        request_of({"acts": [OFFER], "trust": True}, defaults)
    job = FileJob(source=tmp_path, shown="", out=tmp_path, model=ModelChoice(name="sgd-mini"), trust="graph")
    assert job.defaults().trust == "graph"


def test_a_users_own_schema(folder: Path, tmp_path: Path) -> None:
    own = schema_as_json()
    own[0]["service_name"] = "Inns_7"
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(own))
    assert "Alder Inn" in run("--model", folder, "--schema", path, "--service", "Inns_7", OFFER)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((), InvalidInput, "acts or triples"),
        (("--in", "nope.jsonl"), InvalidInput, "There is no nope.jsonl. Check the name."),
        (("OFFER(name",), InvalidInput, "▸"),
        ((OFFER, "a | b | c"), InvalidInput, "mixed"),
        ((OFFER, "--service", "Places_1", "--length", "long"), InvalidInput, "length"),
        ((OFFER, "--service", "Places_1", "--pattern", "("), InvalidInput, "without"),
        ((OFFER, "--service", "Places_1", "--must", ""), InvalidInput, "empty"),
        ((OFFER, "--service", "Places_1", "--decoder", "templates"), InvalidInput, "templates"),
        ((OFFER, "--service", "Places_1", "--must-not", "Alder"), Infeasible, "Alder"),
    ],
)
def test_wrong_use_is_told(folder: Path, arguments: tuple[str, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        run("--model", folder, *arguments)


def test_templates_say_acts_without_the_model(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "Places_1.tsv").write_text("OFFER!!name!!@\tWhat about @?\n")
    arguments = ("--model", folder, "--service", "Places_1", "--decoder", "templates", "--templates", tmp_path)
    assert run(*arguments, OFFER) == "What about Alder Inn?\n"


def test_the_demo_without_weights_says_so_and_shows_the_data_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "has_weights", lambda name: False)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0
    assert "weights of sgd-mini and dart-mini are not" in result.stderr
    assert "must say" in result.stdout
