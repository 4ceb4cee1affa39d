"""`controldag evaluate` with a model: the tiny checkpoint satisfies every demand, whatever it has learned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controldag.cli.main import app
from controldag.data.write import write_examples
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import schema_as_json


@pytest.mark.parametrize("batch", [1, 3])
def test_a_model_and_decoder(folder: Path, tmp_path: Path, batch: int) -> None:
    write_examples(tmp_path / "dev.jsonl", toy_examples(6, 5))
    (tmp_path / "schema.json").write_text(json.dumps(schema_as_json()))
    arguments = ["--data", tmp_path / "dev.jsonl", "--model", folder, "--decoder", "control-dag", "--batch", batch]
    result = CliRunner().invoke(
        app, ["evaluate", *map(str, arguments), "--limit", "5", "--json", "--draws", "5"], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["n"], report["ser"], report["ser_strict"], report["fallbacks"], report["empty"]) == (5, 0, 0, 0, 0)
    assert report["system"]["decoder"] == "control-dag" and report["system"]["settings"]["normalisation"] == 1.0
    assert report["p50_ms"] > 0 and {"forward", "search"} <= set(report["stages_ms"])
    assert ("not a latency" in report["signatures"]["latency"]) is (batch > 1)
    assert "no --train" in result.stderr


def test_services_beside_the_data_are_known_to_a_model_that_lacks_them(folder: Path, tmp_path: Path) -> None:
    other = [replace(example, service="Other_1") for example in toy_examples(3, 5)]
    endless = replace(other[0].acts[0], values=("far " * 3000,))
    write_examples(tmp_path / "dev.jsonl", [*other, replace(other[0], id="endless", acts=(endless,))])
    schema = [service | {"service_name": "Other_1"} for service in schema_as_json()]
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    command = ["evaluate", "--data", str(tmp_path / "dev.jsonl"), "--model", str(folder), "--json", "--draws", "5"]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert json.loads(done.stdout)["failures"] == {"InvalidInput": 1}
    assert "no text for 1 of 4 records: InvalidInput; the first is endless" in " ".join(done.stderr.split())


def test_the_cascade_can_be_scored_and_its_origins_are_told(folder: Path, tmp_path: Path) -> None:
    write_examples(tmp_path / "dev.jsonl", toy_examples(4, 5))
    (tmp_path / "schema.json").write_text(json.dumps(schema_as_json()))
    command = ["evaluate", "--data", str(tmp_path / "dev.jsonl"), "--model", str(folder), "--decoder", "cascade"]
    done = CliRunner().invoke(app, [*command, "--json", "--draws", "5"], catch_exceptions=False)
    report = json.loads(done.stdout)
    shares = [report[f"origin_{origin}"] for origin in ("graph", "clauses", "templates", "plain")]
    assert report["system"]["decoder"] == "cascade" and sum(shares) == pytest.approx(100)
