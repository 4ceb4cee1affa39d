"""Figures that others judge: BLEURT by a package, meaning by a verifier, origins by the system itself."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controldag.metrics.bleurt import NO_CHECKPOINT, bleurt
from controldag.metrics.meaning import MEANING, NOT_JUDGED, TextMeaning, meaning_measures
from controldag.metrics.origins import origin_measures


def test_bleurt_is_the_mean_over_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    class Scorer:
        def __init__(self, checkpoint: str) -> None:
            asked["checkpoint"] = checkpoint

        def score(self, **given: Any) -> list[float]:
            asked.update(given)
            return [0.5, 0.25, 0.75]

    monkeypatch.setitem(sys.modules, "bleurt", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "bleurt.score", SimpleNamespace(BleurtScorer=Scorer))
    found = bleurt(["a", "b", "c"], [["r", "s"], ["t"], []], tmp_path)
    assert (asked["references"], asked["candidates"]) == (["r", "s", "t"], ["a", "a", "b"])
    assert (asked["checkpoint"], asked["batch_size"]) == (str(tmp_path), 64)
    assert found.value() == pytest.approx(50.0) and found.statistics.tolist() == [[75.0, 2.0], [75.0, 1.0], [0.0, 0.0]]
    assert (found.name, found.lower_is_better) == ("bleurt", False)
    assert found.signature == f"checkpoint:{tmp_path.name}|mean over pairs|times 100"
    assert NO_CHECKPOINT == "no BLEURT checkpoint given"


def test_meaning() -> None:
    texts = [TextMeaning(2, 0, False, False), TextMeaning(3, 2, False, True), TextMeaning(1, 0, True, False)]
    found = list(meaning_measures([*texts, TextMeaning(2, 1, False, False)], "judge"))
    assert [(each.name, each.value(), each.lower_is_better) for each in found] == [
        ("meaning_text", 75.0, True),
        ("meaning_act", 37.5, True),
        ("broken_text", 25.0, True),
    ]
    assert tuple(each.name for each in found) == MEANING
    assert [each.signature for each in found] == [
        "judge|an act or triple not said, or something else said",
        "judge|acts or triples wrong or missing, of all of them",
        "judge|no whole English",
    ]
    assert NOT_JUDGED == "not judged: no verifier was asked"


def test_origins() -> None:
    found = list(origin_measures(["graph", "plain", "", "graph"]))
    assert [(each.name, each.value(), each.lower_is_better) for each in found] == [
        ("origin_graph", 50.0, False),
        ("origin_clauses", 0.0, True),
        ("origin_templates", 0.0, True),
        ("origin_plain", 25.0, True),
    ]
    assert {each.signature for each in found} == {"as the system says"}
    assert list(origin_measures(["", ""])) == []
