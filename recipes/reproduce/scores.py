"""The tables' rows scored: what was decoded here or elsewhere, each text file once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controldag.evaluation.figures import Evaluation, EvaluationOptions
from controldag.evaluation.scoring_log import is_test, log_scoring
from controldag.evaluation.system_outputs import Outputs, latency
from controldag.metrics.background import Background
from recipes.reproduce.meaning import meaning_of
from recipes.reproduce.rows import Row
from recipes.reproduce.run import Plan, Reproduction

LEFT_OUT = "it was left out with --only or --decoders"


@dataclass(frozen=True, slots=True)
class RowResult:
    """What is known of a row's system: its report and outputs, or why there are none."""

    row: Row
    report: dict[str, Any] | None = None
    outputs: Outputs | None = None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What texts are judged against, how, and where scoring test data is written down."""

    background: Background
    evaluation: EvaluationOptions
    log: Path


def scored(run: Reproduction, scoring: Scoring, tell: Callable[[Row], None] = lambda row: None) -> list[RowResult]:
    """A result for each system, in the order of the tables, from the outputs that are kept."""
    return [_result(run, plan, scoring, tell) for plan in run.plans]


def _result(run: Reproduction, plan: Plan, scoring: Scoring, tell: Callable[[Row], None]) -> RowResult:
    kept = run.store.outputs(plan.row.key, plan.fingerprint)
    if kept is None:
        return RowResult(plan.row, missing=plan.missing or LEFT_OUT)
    outputs, about = kept
    report = _report(run, plan, scoring, outputs, about["system"])
    tell(plan.row)
    times = run.latency(plan)
    if times is None:
        times = {"figures": {**latency(Outputs(())), "timed": 0, "timed_on": ""}, "signature": "not measured"}
    meaning = meaning_of(run, plan, outputs, scoring.evaluation.meaning, scoring.background)
    signatures = {**report["signatures"], "latency": times["signature"], **meaning["signatures"]}
    parts = {name: {**part, **meaning["splits"].get(name, {})} for name, part in report["splits"].items()}
    figures = {**report, **times["figures"], **meaning["figures"]}
    return RowResult(plan.row, {**figures, "splits": parts, "signatures": signatures}, outputs)


def _report(
    run: Reproduction, plan: Plan, scoring: Scoring, outputs: Outputs, system: dict[str, Any]
) -> dict[str, Any]:
    """The report, with times of batches: what is kept of the same texts, or else made now."""
    evaluation = scoring.evaluation
    fingerprint = {
        **plan.fingerprint,
        "texts_sha256": hashlib.sha256("\n".join(outputs.texts).encode()).hexdigest(),
        "draws": evaluation.bootstrap.draws,
        "bleurt": evaluation.bleurt.name if evaluation.bleurt is not None else "",
    }
    kept = run.store.find(plan.row.key, "", fingerprint)
    if kept is not None:
        found: dict[str, Any] = kept["report"]
        return found
    # Meaning is judged, and kept, apart from this.
    surface = replace(evaluation, meaning=None)
    report = Evaluation(run.examples, outputs, scoring.background, surface).report()
    report = {"system": system, **report}
    run.store.keep(plan.row.key, "", fingerprint, {"report": report})
    if is_test(run.options.data):
        log_scoring(scoring.log, run.options.data, system, report)
    return report
