"""The Triton kernels against plain PyTorch, run by Triton's interpreter in a process of its own (no GPU needed)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
def test_kernels_agree_with_plain_pytorch_in_the_interpreter() -> None:
    environment = os.environ | {"TRITON_INTERPRET": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-W", "ignore", "-m", "tools.check_gpu", "--device", "cpu", "--small"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout and done.stdout.count("pass") >= 5
