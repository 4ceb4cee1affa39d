"""A run that learns worse than expected ends early."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.errors import ControlDagError, InvalidInput
from controldag.training.loop import Trainer
from controldag.training.options import load_options
from controldag.training.prepare import prepare
from controldag.training.run import expected
from controldag.training.run_options import RunOptions
from tests.unit.training.tiny_run import tiny_yaml


def _trainer(tmp_path: Path, expect: tuple[int, float], said: list[str]) -> Trainer:
    options = load_options(str(tiny_yaml(tmp_path, log_every=2)))
    run = RunOptions(tmp_path / "run", device="cpu", quiet=True, say=said.append, expect=expect)
    return Trainer(options, prepare(options.data, None), run)


def test_a_loss_above_what_is_expected_ends_the_run(tmp_path: Path) -> None:
    trainer = _trainer(tmp_path, (3, 0.001), [])
    with pytest.raises(ControlDagError, match=r"the loss at step 4 is .* above the expected 0\.001"):
        trainer.train()
    assert trainer.progress.step == 4


def test_a_loss_as_expected_is_told_once(tmp_path: Path) -> None:
    said: list[str] = []
    trainer = _trainer(tmp_path, (2, 1000.0), said)
    for step in (2, 4, 6):
        trainer._check_expected(step, 5.0)
    assert said == ["loss at step 2: 5.000, as expected"]


def test_an_expectation_is_two_numbers() -> None:
    assert expected("200:3.05") == (200, 3.05)
    assert expected("") is None
    with pytest.raises(InvalidInput, match="STEP:LOSS"):
        expected("3.05")
