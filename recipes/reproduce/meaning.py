"""What the texts of the tables' rows mean, judged by a verifier and kept beside their scores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from controldag.data.records import Example
from controldag.evaluation.system_outputs import Outputs
from controldag.evaluation.verification import MeaningJudge
from controldag.metrics.background import Background
from controldag.metrics.meaning import MEANING, NOT_JUDGED
from controldag.metrics.splits import splits
from recipes.reproduce.run import Plan, Reproduction

_KIND = "meaning"


def meaning_of(
    run: Reproduction, plan: Plan, outputs: Outputs, judge: MeaningJudge | None, background: Background
) -> Mapping[str, Any]:
    """`figures` and, by part of the data, `splits`: kept ones of the same texts and judge, or judged now."""
    if judge is None:
        return {"figures": dict.fromkeys(MEANING), "splits": {}, "signatures": dict.fromkeys(MEANING, NOT_JUDGED)}
    texts = hashlib.sha256("\n".join(outputs.texts).encode()).hexdigest()
    wanted = {"texts_sha256": texts, "judge": judge.name, "judge_sha256": judge.sha256}
    found = run.store.find(plan.row.key, _KIND, wanted)
    if found is None:
        found = _figures(run.examples, outputs, judge, background)
        run.store.keep(plan.row.key, _KIND, wanted, found)
    return found


def _figures(
    examples: Sequence[Example], outputs: Outputs, judge: MeaningJudge, background: Background
) -> dict[str, Any]:
    found = judge.measures(examples, outputs.texts, background.schema)
    parts = splits(examples, background.training)
    return {
        "figures": {each.name: _rounded(each.value()) for each in found},
        "splits": {
            part: {each.name: _rounded(each.part(rows).value()) for each in found} for part, rows in parts.items()
        },
        "signatures": {each.name: each.signature for each in found},
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3) + 0.0
