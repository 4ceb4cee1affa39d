"""`miscount_weight` in a run: it needs value marks, and what the model gets are the labels that are marks."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.training.loop import Trainer
from controldag.training.options import load_options
from controldag.training.prepare import prepare
from controldag.training.run_options import RunOptions
from tests.unit.training.tiny_run import TINY, tiny_yaml

FUZZY = {"glancing": {"start": 0.0, "end": 0.0}, "fuzzy_order": 2, "miscount_weight": 0.5}


def _trainer(folder: Path, marks: int) -> Trainer:
    options = load_options(
        str(tiny_yaml(folder, **FUZZY, data={**TINY["data"], "vocabulary": 340, "value_marks": marks}))
    )
    return Trainer(options, prepare(options.data, None), RunOptions(folder / "run", device="cpu", quiet=True))


def test_without_marks_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="miscount_weight"):
        _trainer(tmp_path, 0)


def test_marks_of_the_target_are_counted(tmp_path: Path) -> None:
    trainer = _trainer(tmp_path, 4)
    bucket = trainer.buckets[0]
    rows = torch.from_numpy(bucket.members[: bucket.shape.batch])
    inputs = trainer._inputs(bucket.shape, rows, torch.zeros(()))
    assert inputs["counted"].shape == inputs["labels"].shape
    assert 0 < int(inputs["counted"].sum()) < inputs["labels"].numel() / 2
    assert trainer.step(0.5).isfinite().all()
