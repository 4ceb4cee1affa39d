"""The stress suite run: every variant of development turns said, checked again, and compared with the untouched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.value_marks import MarkedValues
from controldag.evaluation.decode_run import run_system
from controldag.evaluation.system_outputs import Output, Outputs
from controldag.metrics.background import Background
from controldag.metrics.bleu_statistics import bleu_measures
from controldag.metrics.bootstrap import BootstrapOptions, compare
from controldag.metrics.suite import ERRORS, measures
from controldag.pipeline import ControlDag
from recipes.stress.counts import MOST, change_of_count, value_pools
from recipes.stress.schemas import LEVELS, Paraphrase
from recipes.stress.values import changes_of_values
from recipes.stress.variant import Variant

_MARK = re.compile(r"<(v[0-9]+)>")
_DIGITS = 2


@dataclass(frozen=True, slots=True)
class StressOptions:
    """turns: of each variant, at most. decoder: by name; empty: the checkpoint's. batch: requests at a time."""

    turns: int = 500
    decoder: str = ""
    batch: int = 64


@dataclass(frozen=True, slots=True)
class Stressed:
    """One variant with what was said, before and after."""

    variant: Variant
    before: Outputs
    after: Outputs


def variants(examples: Sequence[Example], schema: Schema, turns: int) -> Iterator[Variant]:
    """All variants of the suite that apply to any of the examples."""
    return (variant for variant in _all_variants(examples, schema, turns) if variant.changed)


def _all_variants(examples: Sequence[Example], schema: Schema, turns: int) -> Iterator[Variant]:
    for name, change in changes_of_values(schema):
        yield Variant.of(name, examples, change, turns)
    for level in LEVELS:
        other = Paraphrase.of(schema, level)
        yield Variant.of(f"schema: {level}", examples, other.change(), turns, other.schema)
    pools = value_pools(examples, schema)
    for count in range(MOST + 1):
        change = change_of_count(count, schema, pools)
        yield Variant.of(f"{count} values", examples, change, max(1, turns // (MOST + 1)))


def run_suite(
    model: ControlDag,
    wanted: Sequence[Variant],
    options: StressOptions,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Stressed]:
    """What the model says for each variant; `progress` is told how many turns are done."""
    said: dict[str, Output] = {}  # of the untouched turns, which variants share
    done = 0
    for variant in wanted:
        compared = variant.untouched if any(each.references for each in variant.changed) else ()
        missing = list({example.id: example for example in compared if example.id not in said}.values())
        if missing:
            outputs = run_system(model, missing, options.decoder, batch=options.batch)
            said |= zip((example.id for example in missing), outputs.items, strict=True)
        speaker = model if variant.schema is None else model.with_schema(variant.schema)
        after = run_system(speaker, variant.changed, options.decoder, batch=options.batch)
        done += len(variant.changed)
        progress(done)
        yield Stressed(variant, Outputs(tuple(said[example.id] for example in compared)), after)


def report(stressed: Stressed, background: Background) -> dict[str, Any]:
    """Plain values: errors of every kind that the metrics find, failures, and BLEU before and after.

    bleu_values_as_words: every value, however long, counts as one word: a long value that is said rightly would
    flatter the wording around it.
    """
    variant, schema = stressed.variant, stressed.variant.schema or background.schema
    after = replace(background, schema=schema)
    found = measures(variant.changed, stressed.after.texts, after)
    wrong = {name: int(found[name].statistics[:, 0].sum()) for name in (*ERRORS, "any_error") if name in found}
    figures: dict[str, Any] = {
        "n": len(variant.changed),
        "failures": stressed.after.failures,
        "any_error": wrong.pop("any_error"),
        "errors": wrong,
    }
    if stressed.before.items:
        figures |= _compared("bleu", stressed, lambda example, text, _: text, (background.schema, schema))
        figures |= _compared("bleu_values_as_words", stressed, _with_marks, (background.schema, schema))
    return figures


def _compared(
    name: str,
    stressed: Stressed,
    read: Callable[[Example, str, Schema | None], str],
    schemas: tuple[Schema | None, Schema | None],
) -> dict[str, Any]:
    """BLEU after and before the change, and their difference with its interval."""
    both = []
    for examples, outputs, schema in (
        (stressed.variant.changed, stressed.after, schemas[1]),
        (stressed.variant.untouched, stressed.before, schemas[0]),
    ):
        texts = [read(example, text, schema) for example, text in zip(examples, outputs.texts, strict=True)]
        references = [[read(example, example.target, schema)] for example in examples]
        both.append(bleu_measures(texts, references)[0])
    result = compare(both[0], both[1], BootstrapOptions())
    if result is None:
        return {}
    return {
        name: round(result.first, _DIGITS),
        f"{name}_untouched": round(result.other, _DIGITS),
        f"{name}_difference": round(result.difference, _DIGITS),
        f"{name}_interval": [round(end, _DIGITS) for end in result.interval],
    }


def _with_marks(example: Example, text: str, schema: Schema | None) -> str:
    return _MARK.sub(r"\1", MarkedValues.of(example, schema, len(text)).in_text(text))
