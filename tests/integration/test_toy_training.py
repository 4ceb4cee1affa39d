"""The system test: train on the toy task, decode, and come out near perfect. Two processes do as one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from controldag.model.definition.saving import load_model
from controldag.training.run import TrainingRequest, read_outputs, run
from tests.unit.training.tiny_run import TINY, tiny_yaml

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["toy", "toy-ar"])
def test_the_toy_task_is_learnt(preset: str, tmp_path: Path) -> None:
    torch.set_num_threads(1)  # on a busy machine of two cores, waiting threads cost more than they bring
    results = run(TrainingRequest(preset, tmp_path / "run", tmp_path / "prepared", device="cpu", quiet=True, half=True))
    for decoder in results["dev"]:
        assert results["dev"][decoder]["bleu"] >= 95, results["dev"]
    assert results["dev"]["greedy"]["ser"] <= 5
    outputs = read_outputs(tmp_path / "run" / "outputs.json.gz")
    assert len(outputs["greedy"]) == 200
    tokenizer = (tmp_path / "run" / "final" / "tokenizer.model").read_bytes()
    model = load_model(tmp_path / "run" / "final", tokenizer=tokenizer)
    assert sum(p.numel() for p in model.parameters()) == results["parameters"]


@pytest.mark.slow
def test_two_processes_have_the_losses_of_one(tmp_path: Path) -> None:
    """Without dropout and glancing, which draw per process."""
    config = tiny_yaml(
        tmp_path, model=TINY["model"] | {"dropout_rate": 0.0}, glancing={"start": 0.0, "end": 0.0}, steps=6
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "1"}
    words = [str(config), "--device", "cpu", "--prepared", str(tmp_path), "--quiet"]
    one = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "controldag.training.run",
        *words,
        "--out",
        str(tmp_path / "one"),
    ]
    launch = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "torch.distributed.run",
        "--nproc-per-node=2",
        "--master-port=29541",
    ]
    two = [*launch, "-m", "controldag.training.run", *words, "--out", str(tmp_path / "two")]
    for command in (one, two):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
    first, second = (_log(tmp_path / name / "log.jsonl") for name in ("one", "two"))
    assert len(first) == len(second) == 6
    for a, b in zip(first, second, strict=True):
        assert a == pytest.approx(b, rel=1e-4)


def _log(path: Path) -> list[float]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [line["loss"] for line in lines if "loss" in line]
