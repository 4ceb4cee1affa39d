"""Passes with gradients and inputs in fixed tensors, as CUDA graphs need them, train as the plain ones do."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from controldag.training.corpus import Corpus
from controldag.training.graphed import GraphedPasses
from controldag.training.loop import Trainer
from controldag.training.options import load_options
from controldag.training.prepare import prepare
from controldag.training.run_options import RunOptions
from tests.unit.training.tiny_run import tiny_yaml
from tools import check_graphs


def _trainer(folder: Path, corpus: Corpus | None = None) -> Trainer:
    options = load_options(str(tiny_yaml(folder)))
    return Trainer(options, corpus or prepare(options.data, None), RunOptions(folder / "run", device="cpu", quiet=True))


def test_fixed_tensors_give_the_same_steps(tmp_path: Path) -> None:
    plain = _trainer(tmp_path)
    fixed = _trainer(tmp_path, plain.corpus)
    fixed.passes = GraphedPasses(fixed._pass, fixed.parameters.values(), fixed.device)
    for bucket in fixed.buckets:
        fixed.passes.add(bucket.shape, torch.from_numpy(bucket.members[: bucket.shape.batch]))
    for share in (0.1, 0.4, 0.9, 0.2):
        torch.testing.assert_close(plain.step(share), fixed.step(share), rtol=0, atol=0)
    for name, weights in plain.parameters.items():
        torch.testing.assert_close(weights, fixed.parameters[name], rtol=0, atol=0)


def test_a_shape_that_was_not_added_is_not_known(tmp_path: Path) -> None:
    trainer = _trainer(tmp_path)
    passes = GraphedPasses(trainer._pass, trainer.parameters.values(), trainer.device)
    with pytest.raises(KeyError):
        passes(trainer.buckets[0].shape, torch.zeros(1, dtype=torch.int64), 0.5)


def test_the_check_of_a_gpu_runs_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tiny_yaml(tmp_path)
    words = ["check_graphs", str(config), "--prepared", str(tmp_path), "--device", "cpu", "--steps", "2"]
    monkeypatch.setattr("sys.argv", words)
    assert check_graphs.main() == 0
    assert "pass" in capsys.readouterr().out
    monkeypatch.setattr(check_graphs, "losses", lambda *_, graphs, **__: [1.0, 2.0 if graphs else 2.1])
    assert check_graphs.main() == 1
    assert "FAIL" in capsys.readouterr().out
