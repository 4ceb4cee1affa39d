"""The main system's BLEU against every other's on the same lines, overall and by part, by paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from controldag.data.records import Example
from controldag.metrics.background import TrainingData
from controldag.metrics.bleu_statistics import bleu_measures, flattened_bleu_measures
from controldag.metrics.bootstrap import BootstrapOptions, compare
from controldag.metrics.measure import Measure, Rows
from controldag.metrics.splits import splits
from recipes.reproduce.rows import TaskTables
from recipes.reproduce.scores import RowResult

_PARTS = ("seen", "unseen", "without_repeats")


def comparisons(
    tables: TaskTables,
    results: Sequence[RowResult],
    examples: Sequence[Example],
    training: TrainingData | None,
    options: BootstrapOptions | None = None,
) -> list[dict[str, Any]]:
    """For each other system and part: both figures, the difference with its interval, and p; none without the main."""
    main = next((each for each in results if each.row.key == tables.main.key and each.outputs is not None), None)
    if main is None:
        return []
    first = _bleu(tables, main, examples)
    parts: dict[str, Rows] = {"all": np.arange(len(examples))}
    parts |= {name: rows for name, rows in splits(examples, training).items() if name in _PARTS}
    found = []
    for result in results:
        if result is main or result.outputs is None:
            continue
        other = _bleu(tables, result, examples)
        for part, rows in parts.items():
            compared = compare(first.part(rows), other.part(rows), options)
            if compared is not None:
                found.append(
                    {
                        "other": result.row.key,
                        "label": result.row.label,
                        "part": part,
                        "main": round(compared.first, 4),
                        "figure": round(compared.other, 4),
                        "difference": round(compared.difference, 4),
                        "interval": [round(end, 4) for end in compared.interval],
                        "p": round(compared.p_value, 4),
                    }
                )
    return found


def _bleu(tables: TaskTables, result: RowResult, examples: Sequence[Example]) -> Measure:
    assert result.outputs is not None
    references = [example.references for example in examples]
    measures = flattened_bleu_measures if tables.bleu == "bleu_single" else bleu_measures
    return measures(result.outputs.texts, references)[0]
