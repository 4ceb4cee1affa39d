"""Every figure of a system's texts, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.metrics.background import Background
from controldag.metrics.bleu_statistics import bleu_measures, flattened_bleu_measures
from controldag.metrics.bleurt import bleurt
from controldag.metrics.categorical import categorical_measures
from controldag.metrics.chrf import chrf
from controldag.metrics.emptiness import empty
from controldag.metrics.foreign_values import foreign
from controldag.metrics.meaning import MEANING
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.neologism import independent_neologisms, paper_neologisms, strict_neologisms
from controldag.metrics.occurrence_error import ends_said, occurrence_measures
from controldag.metrics.origins import ORIGIN_FIGURES
from controldag.metrics.pairing import check_one_each
from controldag.metrics.repetition import repetition_measures
from controldag.metrics.slot_error import slot_error_measures
from controldag.metrics.strict_slots import strict_slot_measures
from controldag.metrics.unsupported import unsupported

NAMES = (
    "bleu", "bp", "length_ratio", "bleu_single", "bp_single", "length_ratio_single", "chrf", "bleurt",
    "ser", "ser_applicable", "ser_strict", "ser_strict_applicable", "categorical_said", "counts_said",
    "eor", "eor_constrained", "ends_said",
    "neo", "neo_strict", "neo_independent", "unsupported", "foreign_values",
    "repeated_trigrams", "doubled_words", "empty", "any_error",
    *MEANING, *ORIGIN_FIGURES,
)  # fmt: skip
"""All figures there are, in the order of tables; which ones a file has depends on what its records hold.

Those of meaning and origin are not of `measures`: they need a verifier, or what the system says of itself.
"""

ERRORS = ("ser", "ser_strict", "eor", "neo", "neo_strict", "neo_independent", "unsupported", "empty")
"""The error rates a perfect system has at 0."""


def measures(
    examples: Sequence[Example], texts: Sequence[str], background: Background, *, bleurt_checkpoint: Path | None = None
) -> dict[str, Measure]:
    """By name every figure that these records have: acts bring slot errors, triples exact occurrence, and so on."""
    check_one_each("texts", texts, examples)
    found = {each.name: each for each in _all(examples, texts, background, bleurt_checkpoint)}
    found["any_error"] = _any_error([found[name] for name in ERRORS if name in found])
    return {name: found[name] for name in NAMES if name in found}


def _all(
    examples: Sequence[Example], texts: Sequence[str], background: Background, checkpoint: Path | None
) -> Iterator[Measure]:
    references = [example.references for example in examples]
    if any(references):
        yield from _against_references(texts, references, checkpoint)
    if any(example.acts for example in examples):
        yield from _of_acts(examples, texts, background)
    if any(example.triples for example in examples):
        if background.rules is not None:
            yield from occurrence_measures(examples, texts, background.rules)
        yield ends_said(examples, texts)
    yield paper_neologisms(examples, texts, background.neo_words, background.schema)
    if background.training is not None:
        yield strict_neologisms(examples, texts, background.training.words, background.schema)
        yield foreign(examples, texts, background.training.known)
    yield independent_neologisms(examples, texts)
    yield unsupported(examples, texts)
    yield from repetition_measures(examples, texts)
    yield empty(texts)


def _any_error(errors: Sequence[Measure]) -> Measure:
    """`any_error`: texts with an error of at least one kind."""
    wrong = np.any([measure.statistics[:, 0] > 0 for measure in errors], axis=0)
    return percentage("any_error", f"any of {', '.join(measure.name for measure in errors)}", wrong.tolist())


def _against_references(
    texts: Sequence[str], references: Sequence[Sequence[str]], checkpoint: Path | None
) -> Iterator[Measure]:
    yield from bleu_measures(texts, references)
    if max(map(len, references)) > 1:
        yield from flattened_bleu_measures(texts, references)
    yield chrf(texts, references)
    if checkpoint is not None:
        yield bleurt(texts, references, checkpoint)


def _of_acts(examples: Sequence[Example], texts: Sequence[str], background: Background) -> Iterator[Measure]:
    if background.schema is None:
        remedy = "Name a schema file with --schema."
        raise InvalidInput("Slot errors need the schema of the services, and none lies beside the data.", remedy=remedy)
    yield from slot_error_measures(examples, texts, background.schema)
    yield from strict_slot_measures(examples, texts, background.schema)
    yield from categorical_measures(examples, texts, background.schema)
