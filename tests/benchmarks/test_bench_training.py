"""`bench training`: both kinds of attention and eager in one run; kernels are told apart by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.training.run import part_of
from controldag.cli.main import app
from tests.unit.training.tiny_run import tiny_yaml


@pytest.mark.parametrize(
    ("kernel", "part"),
    [
        ("fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention)", "attention"),
        ("void pytorch_flash::flash_fwd_kernel<...>", "attention"),
        ("cudnn_generated_fort_native_sdpa_sm90_flash_fprop", "attention"),
        ("triton_per_fused__scaled_dot_product_flash_attention_3", "fused by the compiler"),
        ("nvjet_tst_128x256_64x4", "matrix products"),
        ("_alignment_kernel", "dag loss"),
        ("_forward_kernel", "dag loss"),
        ("attention_forward_kernel", "attention"),
        ("void at::native::vectorized_elementwise_kernel", "other kernels"),
    ],
)
def test_kernels_are_told_apart(kernel: str, part: str) -> None:
    assert part_of(kernel) == part


@pytest.mark.slow
def test_all_ways_are_measured_in_one_run(tmp_path: Path) -> None:
    config = tiny_yaml(tmp_path)
    words = ["bench", "training", str(config), "--prepared", str(tmp_path), "--steps", "2", "--device", "cpu"]
    done = CliRunner().invoke(app, [*words, "--json", "--quiet"])
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)
    assert set(row["attention"]) == {"plain", "sdpa", "fused"}
    assert row["examples_per_s"] == row["attention"]["plain"]["examples_per_s"] > 0
    assert row["sdpa_speedup"] > 0 and row["fused_attention_speedup"] > 0 and row["fused_speedup"] > 0
    shown = CliRunner().invoke(app, [*words, "--quiet"])
    assert shown.exit_code == 0 and "fused, sdpa" in shown.output and "eager" in shown.output
