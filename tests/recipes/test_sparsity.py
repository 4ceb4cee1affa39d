"""Sparsity of graphs: counted by hand on the tiny checkpoint's graphs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from controldag.data.write import write_examples
from controldag.errors import InvalidInput
from controldag.pipeline import ControlDag
from controldag.training.toy import toy_examples
from recipes.__main__ import app
from recipes.sparsity.measure import sparsity

EXAMPLES = toy_examples(3, 4)


def test_counts_and_masses(tiny: ControlDag) -> None:
    found = sparsity(tiny, EXAMPLES, threshold=0.15, batch=2)
    dags = [tiny.predict_dag(example) for example in EXAMPLES]
    assert all(dag.widen is not None for dag in dags)
    onward = [np.exp(row) for dag in dags for row in dag.transitions[:-1]]
    wide = [dag.widen(8) for dag in dags if dag.widen is not None]
    spoken = [np.exp(row) for dag in wide for row in dag.emissions[1:-1]]
    for name, vertices in (("transitions", onward), ("emissions", spoken)):
        assert found[name]["above"] == pytest.approx(np.mean([(row > 0.15).sum() for row in vertices]), abs=1e-3)
        best = [np.sort(row)[::-1][:3].sum() for row in vertices]
        assert found[name]["mass_of_best"]["3"] == pytest.approx(np.mean(best), abs=1e-3)
    assert found["graphs"] == 3
    assert found["vertices_a_graph"] == pytest.approx(np.mean([dag.vertices for dag in dags]), abs=0.01)


def test_the_command(folder: Path, tmp_path: Path) -> None:
    write_examples(tmp_path / "dev.jsonl", EXAMPLES)
    command = ["sparsity", str(folder), "--data", str(tmp_path / "dev.jsonl"), "--every", "2"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "s.json"), "--json"], catch_exceptions=False)
    assert json.loads(done.stdout)["graphs"] == 2
    assert json.loads((tmp_path / "s.json").read_text())["figures"]["graphs"] == 2
    assert "transitions" in CliRunner().invoke(app, command, catch_exceptions=False).stdout


@pytest.mark.parametrize("threshold", [0.05, 1.0])
def test_thresholds_that_cannot_be_counted_are_told(tiny: ControlDag, threshold: float) -> None:
    with pytest.raises(InvalidInput, match="threshold"):
        sparsity(tiny, EXAMPLES, threshold=threshold)
