"""`make reproduce`: its commands run on the bundled models, and say which rows need weights that are not bundled."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controldag.checkpoint.folder import has_weights
from recipes.__main__ import app

MAKEFILE = (Path(__file__).resolve().parents[2] / "Makefile").read_text("utf-8")
(RECIPE,) = re.findall(r"^reproduce:.*\n((?:\t.*\n)+)", MAKEFILE, flags=re.MULTILINE)
# Few records, and no training data, which takes long to read.
SHORT = "--limit 3 --timed 0 --draws 5 --no-meaning --json --quiet"


@pytest.mark.realdata
@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights are not in this copy")
@pytest.mark.parametrize("line", RECIPE.strip().split("\n"), ids=("sgd", "dart"))
def test_it_runs_and_is_honest(line: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTROLDAG_DATA", str(data))
    words = shlex.split(line.replace("$(REPRODUCED)", str(tmp_path)).replace("$(FLAGS)", SHORT))
    assert words[:3] == ["$(BIN)/python", "-m", "recipes"]
    task = words[4]
    dev = str(data / task / "dev.jsonl.gz")
    done = CliRunner().invoke(app, [*words[3:], "--data", dev, "--train", dev], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = {row["label"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["Control-DAG"]["report"]["empty"] == 0
    assert rows["AR constrained beam"]["missing"] == f"the weights of {task}-small-ar are not here"
    assert "are not here" in (tmp_path / task / "dev.md").read_text("utf-8")
