"""A gradient that is not finite costs its own step, not the weights; many of them end the run with what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from controldag.training.loop import Trainer
from controldag.training.options import TrainingOptions, load_options
from controldag.training.prepare import prepare
from controldag.training.run_options import RunOptions
from tests.unit.training.tiny_run import tiny_yaml


class Poisoned:
    """The trainer's model, with a NaN loss at some steps."""

    def __init__(self, trainer: Trainer, bad: set[int]) -> None:
        self._trainer, self._model, self._bad = trainer, trainer.wrapped, bad

    def __call__(self, **inputs: Any) -> Any:
        output = self._model(**inputs)
        if self._trainer.progress.step in self._bad:
            output.loss = output.loss * float("nan")
        return output

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


def _trainer(tmp_path: Path, bad: set[int]) -> tuple[Trainer, list[str]]:
    options: TrainingOptions = load_options(str(tiny_yaml(tmp_path, log_every=4)))
    said: list[str] = []
    run = RunOptions(tmp_path / "run", device="cpu", say=said.append)
    trainer = Trainer(options, prepare(options.data, None), run)
    trainer.wrapped = Poisoned(trainer, bad)  # type: ignore[assignment]
    return trainer, said


def _finite(trainer: Trainer) -> bool:
    return all(bool(torch.isfinite(p).all()) for p in trainer.parameters.values())


def test_a_step_without_finite_gradients_is_left_out(tmp_path: Path) -> None:
    trainer, _ = _trainer(tmp_path, {1})
    trainer.step(0.0)
    before = {name: p.detach().clone() for name, p in trainer.parameters.items()}
    trainer.step(0.0)
    assert all(torch.equal(before[name], p) for name, p in trainer.parameters.items())
    trainer.step(0.0)
    assert _finite(trainer)
    assert any(not torch.equal(before[name], p) for name, p in trainer.parameters.items())


@pytest.mark.slow
def test_a_run_without_finite_gradients_ends_with_its_last_good_weights(tmp_path: Path) -> None:
    trainer, said = _trainer(tmp_path, set(range(8, 24)))
    outcome = trainer.train()
    assert outcome.progress.step == 12
    assert _finite(trainer)
    assert outcome.validation is not None
    assert any("not finite" in line for line in said)
