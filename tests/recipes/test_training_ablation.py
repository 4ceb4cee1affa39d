"""The ablation of training: configs that differ in one thing, and the table from what their runs say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controldag.errors import InvalidInput
from controldag.training.options import load_options
from recipes.training_ablation import (
    ARMS,
    UNCHANGED,
    best,
    collect,
    config,
    run_name,
    runs,
    table,
    write_configs,
)


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    found = {}
    for key, value in values.items():
        found.update(_flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value})
    return found


@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_changes_what_it_says_and_nothing_else(arm: str) -> None:
    base, changed = _flat(config(UNCHANGED)), _flat(config(arm))
    differing = {key: changed[key] for key in base if base[key] != changed[key] and key != "name"}
    assert differing == ARMS[arm]


def test_written_configs_are_read_back_as_they_are(tmp_path: Path) -> None:
    paths = write_configs(tmp_path / "configs")
    assert len(paths) == len(ARMS) + 2
    names = [load_options(path).name for path in paths]
    assert names == [path.stem for path in paths]
    assert load_options(paths[-1]).seed == 3


def _result(bleu: float) -> dict[str, Any]:
    scores = {"bleu": bleu, "bleu_unseen": bleu - 3, "ser": 5.0}
    lower = {**scores, "bleu": bleu - 1}
    return {
        "dev": {"greedy": scores, "lookahead": lower, "viterbi-1": lower, "viterbi-1.3": scores},
        "progress": {"seconds": 50.0},
        "examples_per_s": 1000.0,
        **dict.fromkeys(("date", "commit", "version", "machine", "device", "torch"), "x"),
    }


def test_the_table_has_every_arm_and_the_range_over_seeds(tmp_path: Path) -> None:
    for index, (arm, seed) in enumerate(runs()):
        folder = tmp_path / run_name(arm, seed)
        folder.mkdir()
        (folder / "results.json").write_text(json.dumps(_result(20.0 + index)))
    figures, measured = collect(tmp_path)
    assert measured["commit"] == "x"
    lines = table(figures).splitlines()
    assert lines[0] == "| arm | greedy | lookahead | viterbi |"
    # Seeds 1, 2, 3 are the first run and the last two: 20, 26 and 27.
    greedy = "24.3 (21.3), 5.0 [20.0 to 27.0]"
    assert lines[2] == f"| unchanged | {greedy} | 23.3 (21.3), 5.0 [19.0 to 26.0] | {greedy} |"
    assert lines[3].startswith("| no-copying | 21.0 (18.0), 5.0 |")
    assert len(lines) == 2 + len(ARMS)


def test_a_missing_run_and_an_unknown_decoder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="ablation-unchanged"):
        collect(tmp_path)
    with pytest.raises(InvalidInput, match="greedy"):
        best({"greedy": {"bleu": 1.0}}, "beam")
