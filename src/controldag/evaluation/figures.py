"""One system's figures on one data file: overall, by part, with intervals, latency and the settings of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from controldag.data.records import Example
from controldag.evaluation.system_outputs import Outputs, latency
from controldag.evaluation.verification import MeaningJudge
from controldag.metrics.background import Background
from controldag.metrics.bleurt import NO_CHECKPOINT
from controldag.metrics.bootstrap import BootstrapOptions, compare, intervals
from controldag.metrics.meaning import MEANING, NOT_JUDGED
from controldag.metrics.measure import Measure, Rows
from controldag.metrics.origins import origin_measures
from controldag.metrics.splits import splits
from controldag.metrics.suite import NAMES, measures

ALL = "all"
_DIGITS = 4  # decimals kept: far more than means anything, and the same on every machine


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """bootstrap: how intervals are drawn. bleurt: folder of a checkpoint; meaning: who judges what texts mean.

    Without checkpoint or judge there are no such figures.
    """

    bootstrap: BootstrapOptions = field(default_factory=BootstrapOptions)
    bleurt: Path | None = None
    meaning: MeaningJudge | None = None


class Evaluation:
    """The figures of one system, kept as sums by line, so that another system's can be compared line by line."""

    def __init__(
        self,
        examples: Sequence[Example],
        outputs: Outputs,
        background: Background,
        options: EvaluationOptions | None = None,
    ) -> None:
        self.options = options or EvaluationOptions()
        self.outputs = outputs
        self.measures = measures(examples, outputs.texts, background, bleurt_checkpoint=self.options.bleurt)
        if self.options.meaning is not None:
            judged = self.options.meaning.measures(examples, outputs.texts, background.schema)
            self.measures |= {each.name: each for each in judged}
        origins = [item.origin for item in outputs.items]
        self.measures |= {each.name: each for each in origin_measures(origins)}
        self.parts: dict[str, Rows] = splits(examples, background.training)
        self.lines = len(examples)

    def report(self) -> dict[str, Any]:
        """Plain values: every figure at the top (None where these records have none), then parts and the rest."""
        boot = self.options.bootstrap
        return {
            "n": self.lines,
            **_figures(self.measures),
            "fallbacks": self.outputs.fallbacks,
            "failures": self.outputs.failures,
            **latency(self.outputs),
            "splits": {
                name: {"n": len(rows), **_figures(self.part(rows), only=self.measures)}
                for name, rows in self.parts.items()
            },
            "intervals": {
                ALL: _rounded_all(intervals(self.measures, boot)),
                **{name: _rounded_all(intervals(self.part(rows), boot)) for name, rows in self.parts.items()},
            },
            "signatures": self.signatures(),
        }

    def compare(self, other: Evaluation) -> dict[str, dict[str, Any]]:
        """By part, then by figure: the difference to `other` with its interval and p, from the same draws for both."""
        rows_by_part: dict[str, Rows] = {ALL: np.arange(self.lines), **self.parts}
        return {
            part: {
                name: _comparison(measure.part(rows), other.measures[name].part(rows), self.options.bootstrap)
                for name, measure in self.measures.items()
                if name in other.measures
            }
            for part, rows in rows_by_part.items()
        }

    def part(self, rows: Rows) -> dict[str, Measure]:
        """The measures of these lines alone."""
        return {name: measure.part(rows) for name, measure in self.measures.items()}

    def signatures(self) -> dict[str, str]:
        """What made each figure."""
        found = {name: measure.signature for name, measure in self.measures.items()}
        if "bleurt" not in found:
            found["bleurt"] = NO_CHECKPOINT
        if self.options.meaning is None:
            found |= dict.fromkeys(MEANING, NOT_JUDGED)
        return found | {"latency": self.outputs.timing or "not known", "intervals": self.options.bootstrap.signature}


def _figures(found: Mapping[str, Measure], only: Iterable[str] = NAMES) -> dict[str, float | None]:
    return {name: _rounded(found[name].value()) if name in found else None for name in only}


def _comparison(first: Measure, other: Measure, options: BootstrapOptions) -> dict[str, Any] | None:
    result = compare(first, other, options)
    if result is None:
        return None
    return {
        "first": _rounded(result.first),
        "other": _rounded(result.other),
        "difference": _rounded(result.difference),
        "interval": [_rounded(end) for end in result.interval],
        "p": _rounded(result.p_value),
    }


def _rounded(value: float | None) -> float | None:
    # Adding 0 turns -0.0 into 0.0.
    return None if value is None else round(value, _DIGITS) + 0.0


def _rounded_all(found: Mapping[str, tuple[float, float] | None]) -> dict[str, list[float | None] | None]:
    return {name: None if ends is None else [_rounded(end) for end in ends] for name, ends in found.items()}
