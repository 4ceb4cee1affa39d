"""The check that a GPU machine runs first, here on a CPU, where it must find no difference."""

from __future__ import annotations

import pytest

from tests.unit.model.tiny import tiny_model
from tools.check_inference import check_forward, check_twin


def test_nothing_differs_on_a_cpu(capsys: pytest.CaptureFixture[str]) -> None:
    model = tiny_model(1, max_vertices=128, max_positions=128)
    assert check_forward(model, "cpu", "float32") < 1e-4
    check_twin(model, "cpu")
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 5 and all("8 of 8" in line for line in printed)
