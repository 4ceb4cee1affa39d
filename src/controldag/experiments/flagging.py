"""When a text should be flagged: from what constraints cost on development data, and how texts above that fare."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.bleu import corpus_bleu
from controldag.pipeline import ControlDag


@dataclass(frozen=True, slots=True)
class Costed:
    """One text: what it cost over the unconstrained best, and what people said instead."""

    extra: float
    text: str
    references: tuple[str, ...]


def costed_texts(
    model: ControlDag,
    examples: Sequence[Example],
    *,
    batch: int = 64,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Costed]:
    """The texts of all examples whose constraints' cost is known."""
    found = []
    for first in range(0, len(examples), batch):
        part = examples[first : first + batch]
        for example, outcome in zip(part, model.generate_batch([Request(each) for each in part]), strict=True):
            if isinstance(outcome, Result) and outcome.extra_cost is not None:
                found.append(Costed(outcome.extra_cost, outcome.text, tuple(example.references)))
        progress(min(first + batch, len(examples)))
    return found


def calibration(texts: Sequence[Costed], share: float) -> dict[str, Any]:
    """The threshold above which `share` of the texts lie, and BLEU on either side of it."""
    if not 0 < share < 1:
        raise InvalidInput.of("--share", "lie between 0 and 1", share)
    if not texts:
        raise InvalidInput("No text has a known cost.", remedy="Use data with references and the decoder control-dag.")
    ranked = sorted(each.extra for each in texts)
    # The least cost that at most `share` of the texts pass, rounded up so that a written threshold flags no more.
    threshold = ranked[max(0, math.ceil(len(ranked) * (1 - share)) - 1)]
    threshold = math.ceil(threshold * 1000) / 1000
    flagged = [each for each in texts if each.extra > threshold]
    rest = [each for each in texts if each.extra <= threshold]
    return {
        "flag_above": threshold,
        "texts": len(texts),
        "flagged": len(flagged),
        "median_extra_cost": ranked[len(ranked) // 2],
        "bleu_flagged": _bleu(flagged),
        "bleu_others": _bleu(rest),
    }


def _bleu(texts: Sequence[Costed]) -> float | None:
    if not texts:
        return None
    return corpus_bleu([each.text for each in texts], [list(each.references) for each in texts]).score
