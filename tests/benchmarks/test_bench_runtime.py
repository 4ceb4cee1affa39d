"""`bench runtime` on a tiny model: the runtime agrees with torch, and every figure is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.runtime.run import REFERENCE, RuntimeOptions, bench_runtime
from controldag.pipeline import ControlDag
from controldag.runtime import session
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import make_checkpoint


def test_figures_of_speed_and_agreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_threads", 0)  # put back afterwards
    model = ControlDag.from_pretrained(make_checkpoint(tmp_path / "tiny", marks=2))
    options = RuntimeOptions(threads=(1,), timed=2, acts=2, texts=3)
    figures = bench_runtime(model, toy_examples(6, 2), options, lambda items, _: iter(items))
    systems = {REFERENCE, "torch, int8", "runtime, float32", "runtime, int8"}
    assert set(figures["forward_p50_ms"][1]) == systems and figures["turns"] == 6
    exact = figures["graphs"]["runtime, float32"]
    assert exact["same_texts"] == 1.0 and exact["largest_link_difference"] < 1e-3
    assert set(figures["graphs"]) == systems - {REFERENCE}
    verifier = figures["verifier"]
    assert verifier["inputs"] > 0 and verifier["engine"]["same_verdicts"] == 1.0
    assert set(verifier["p50_ms"]) == set(verifier["one_text_p50_ms"]) == {REFERENCE, "engine"}
