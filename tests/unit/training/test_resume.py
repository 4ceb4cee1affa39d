"""Exact resume after kill -9, and checkpoints that survive kills in the middle of a save."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.training.checkpoint import Checkpoint, Progress, load_checkpoint, put_back, save_checkpoint
from controldag.training.loop import Trainer
from controldag.training.options import options_from
from controldag.training.prepare import prepare
from controldag.training.run_options import RunOptions
from tests.unit.training.tiny_run import TINY, tiny_yaml

ROOT = Path(__file__).resolve().parents[3]


def _command(config: Path, out: Path, prepared: Path) -> list[str]:
    words = [
        "-W",
        "ignore",
        "-m",
        "controldag.training.run",
        str(config),
        "--out",
        str(out),
        "--device",
        "cpu",
    ]
    return [sys.executable, *words, "--prepared", str(prepared)]


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}


def _losses(out: Path) -> dict[int, float]:
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text("utf-8").splitlines()]
    return {line["step"]: line["loss"] for line in lines if "loss" in line}


@pytest.mark.slow
def test_a_killed_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    config = tiny_yaml(tmp_path, save_every=3)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(_command(config, whole, tmp_path), env=_environment(), check=True, capture_output=True)
    run = subprocess.Popen(_command(config, killed, tmp_path), env=_environment(), stdout=subprocess.DEVNULL)
    log = killed / "log.jsonl"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (log.is_file() and log.read_text("utf-8").count("\n") >= 8):
        time.sleep(0.02)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert len(_losses_so_far(log)) < 24
    subprocess.run(_command(config, killed, tmp_path), env=_environment(), check=True, capture_output=True)
    assert _losses(killed) == _losses(whole)
    assert len(_losses(whole)) == 24
    one, other = ((run / "final" / "model.safetensors").read_bytes() for run in (whole, killed))
    assert one == other


def _losses_so_far(log: Path) -> list[str]:
    return log.read_text("utf-8").splitlines()


_SAVER = """
import sys, torch
from pathlib import Path
from controldag.training.checkpoint import Checkpoint, Progress, save_checkpoint
step = 0
while True:
    step += 1
    tensors = {"weights": {"w": torch.full((40_000,), float(step))}}
    save_checkpoint(Path(sys.argv[1]), Checkpoint(Progress(step=step), {}, tensors))
    print(step, flush=True)
"""


@pytest.mark.slow
def test_a_kill_in_the_middle_of_a_save_never_loses_the_last_good_one(tmp_path: Path) -> None:
    for attempt in range(12):
        saver = subprocess.Popen(
            [sys.executable, "-c", _SAVER, str(tmp_path)], env=_environment(), stdout=subprocess.PIPE, text=True
        )
        assert saver.stdout is not None
        saver.stdout.readline()
        time.sleep(0.003 * attempt)
        saver.kill()
        said = [int(line) for line in saver.stdout.read().split()] or [1]
        saver.wait()
        saver.stdout.close()
        found = load_checkpoint(tmp_path)
        assert found is not None and found.progress.step >= said[-1]
        assert (found.tensors["weights"]["w"] == float(found.progress.step)).all()


def _checkpoint(step: int) -> Checkpoint:
    return Checkpoint(Progress(step=step), {"name": "x"}, {"weights": {"w": torch.arange(10.0)}})


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, _checkpoint(1))
    newest = save_checkpoint(tmp_path, _checkpoint(2))
    weights = newest / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])
    found = load_checkpoint(tmp_path)
    assert found is not None and found.progress.step == 1


@pytest.mark.parametrize(
    "state",
    [
        "{",
        "[]",
        "[" * 200_000,
        '{"sha256": [], "progress": {}, "options": {}}',
        '{"sha256": {}, "progress": {"step": "x"}, "options": {}}',
        '{"sha256": {}, "progress": {}, "options": []}',
    ],
)
def test_only_damaged_checkpoints_are_an_error(state: str, tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, _checkpoint(1))
    (path / "state.json").write_text(state, "utf-8")
    with pytest.raises(InvalidInput, match="can be read"):
        load_checkpoint(tmp_path)


def test_weights_of_another_model_are_not_taken_up(tmp_path: Path) -> None:
    """One number would have been copied into all of a matrix."""
    own = {"w": torch.zeros(4)}
    for stored in ({}, {"w": torch.ones(1)}, {"w": torch.ones(4), "v": torch.ones(1)}):
        with pytest.raises(ValueError, match="another model"):
            put_back(own, stored)
    put_back(own, {"w": torch.ones(4)})
    assert own["w"].tolist() == [1.0] * 4


def test_a_full_disk_leaves_the_last_good_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_checkpoint(tmp_path, _checkpoint(1))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("controldag.training.checkpoint.save_file", full)
    with pytest.raises(InvalidInput, match="No space left"):
        save_checkpoint(tmp_path, _checkpoint(2))
    found = load_checkpoint(tmp_path)
    assert found is not None and found.progress.step == 1
    assert [path.name for path in tmp_path.iterdir()] == ["step-00000001"]


def test_a_run_saves_by_the_clock_where_its_config_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = options_from(TINY | {"steps": 4, "log_every": 2})
    run = RunOptions(tmp_path / "run", device="cpu", quiet=True, say=lambda _: None, save_minutes=0.0)
    trainer = Trainer(options, prepare(options.data, None), run)
    saved: list[int] = []
    monkeypatch.setattr(trainer, "save", lambda: saved.append(trainer.progress.step))
    trainer.train()
    assert saved == [2, 4, 4]  # whenever the clock is asked, and at the end
    assert options.save_every == 0
    assert RunOptions(tmp_path).save_minutes == 2.0
