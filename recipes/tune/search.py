"""Decoder settings tried on development data: every cell of a grid, its figures, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from controldag.constraints import WordList
from controldag.data.occurrence import OccurrenceRules
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.evaluation.system_outputs import Outputs
from controldag.evaluation.systems import System, variants
from controldag.metrics.bleu_statistics import bleu_measures, flattened_bleu_measures
from controldag.metrics.emptiness import empty
from controldag.metrics.measure import Measure, Rows
from controldag.metrics.occurrence_error import occurrence_measures
from controldag.metrics.slot_error import slot_error_measures
from recipes.shared_pass import Way, run_ways

Grid = Mapping[str, Sequence[Any]]
_DIGITS = 4


def cells_of(grid: Grid) -> list[dict[str, Any]]:
    """Every combination of the grid's values, the last setting changing fastest."""
    if not grid:
        raise InvalidInput.of("--set", "be given", None, remedy="Write --set normalisation=1.0,1.25.")
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


class Judge:
    """What tuning looks at: BLEU on all lines and on unseen services or relations, and what tells of trouble."""

    def __init__(
        self,
        examples: Sequence[Example],
        unseen: Sequence[bool],
        schema: Schema | None = None,
        rules: OccurrenceRules | None = None,
    ) -> None:
        self.examples, self.schema, self.rules = examples, schema, rules
        self.references = [example.references for example in examples]
        self.several = max(map(len, self.references)) > 1
        self.unseen: Rows = np.flatnonzero(np.asarray(unseen, bool))

    @property
    def bleu(self) -> str:
        """The BLEU that counts: over flattened pairs where records have several references, as in the tables."""
        return "bleu_single" if self.several else "bleu"

    @property
    def rule(self) -> str:
        """How cells are ranked, in words."""
        if not len(self.unseen):
            return f"highest {self.bleu}; nothing here is unseen"
        return f"highest mean of {self.bleu} and {self.bleu}_unseen"

    def figures(self, outputs: Outputs) -> dict[str, float | int | None]:
        """By name, all figures of one cell, and `score`, by which cells are ranked."""
        found: dict[str, float | int | None] = {}
        for measure in self._measures(outputs.texts):
            found[measure.name] = _rounded(measure.value())
            if measure.name == self.bleu and len(self.unseen):
                found[f"{measure.name}_unseen"] = _rounded(measure.value(self.unseen))
        parts = [found[self.bleu], found.get(f"{self.bleu}_unseen")]
        known = [part for part in parts if part is not None]
        score = _rounded(sum(known) / len(known)) if known else None
        return {"score": score, **found, "fallbacks": outputs.fallbacks, "failures": sum(outputs.failures.values())}

    def _measures(self, texts: Sequence[str]) -> Iterator[Measure]:
        yield from bleu_measures(texts, self.references)[:2]
        if self.several:
            yield from flattened_bleu_measures(texts, self.references)[:2]
        if self.schema is not None and any(example.acts for example in self.examples):
            yield slot_error_measures(self.examples, texts, self.schema)[0]
        if self.rules is not None and any(example.triples for example in self.examples):
            yield occurrence_measures(self.examples, texts, self.rules)[0]
        yield empty(texts)


def tune(
    system: System,
    cells: Sequence[Mapping[str, Any]],
    judge: Judge,
    *,
    words: Mapping[str, WordList] | None = None,
    batch: int = 64,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """`cells` with their figures, `best` (the first of equals) and `chosen_by`; a graph is predicted once for all.

    `words`: lists of allowed words by name, to try with each cell instead of the checkpoint's.
    """
    made = variants(system, [(system.decoder, cell) for cell in cells])
    about: list[dict[str, Any]] = [{"settings": dict(cell)} for cell in cells]
    if words:
        about = [{**each, "words": name, "listed": len(words[name])} for each in about for name in words]
        made = [each.with_words(chosen) for each in made for chosen in words.values()]
    ways = [Way(each.model, each.decoder) for each in made]
    outputs = run_ways(ways, judge.examples, batch=batch, progress=progress)
    found: list[dict[str, Any]] = [{**each, **judge.figures(said)} for each, said in zip(about, outputs, strict=True)]
    best = max(found, key=lambda cell: -1.0 if cell["score"] is None else cell["score"])
    return {"best": best, "chosen_by": judge.rule, "cells": found}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS) + 0.0
