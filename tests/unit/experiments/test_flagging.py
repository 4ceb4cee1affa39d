"""Thresholds for flags, on made-up costs and on the bundled model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controldag.cli.main import app
from controldag.errors import InvalidInput
from controldag.experiments.flagging import Costed, calibration


def _texts(costs: list[float]) -> list[Costed]:
    return [Costed(cost, f"text number {i} of some", (f"text number {i} of some",)) for i, cost in enumerate(costs)]


def test_the_wanted_share_lies_above_the_threshold() -> None:
    found = calibration(_texts([float(i) for i in range(100)]), 0.05)
    assert (found["flag_above"], found["flagged"], found["texts"]) == (94.0, 5, 100)
    assert found["bleu_flagged"] == found["bleu_others"] == pytest.approx(100.0)


def test_equal_costs_flag_nothing() -> None:
    found = calibration(_texts([1.25] * 10), 0.1)
    assert (found["flag_above"], found["flagged"], found["bleu_flagged"]) == (1.25, 0, None)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5])
def test_a_share_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(InvalidInput, match="--share"):
        calibration(_texts([1.0]), share)


def test_nothing_known_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="No text"):
        calibration([], 0.1)


def test_the_command_on_a_few_turns(tmp_path: Path) -> None:
    data = tmp_path / "turns.jsonl"
    turn = {
        "id": "1",
        "service": "Restaurants_1",
        "dialog_acts": [{"act": "OFFER", "slot": "restaurant_name", "values": ["71 Saint Peter"]}],
        "target": "How about 71 Saint Peter?",
    }
    data.write_text("".join(json.dumps({**turn, "id": str(i)}) + "\n" for i in range(3)))
    result = CliRunner().invoke(app, ["calibrate", "sgd-mini", "--data", str(data), "--share", "0.5", "--json", "-q"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["texts"] == 3
