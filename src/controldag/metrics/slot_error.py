"""Slot error rate, the published rule (Kale and Rastogi 2020): are the values that must be said in the response?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each


@dataclass(frozen=True, slots=True)
class SlotErrorRate:
    """How many responses lack a value, of how many, and of how many that have a slot which counts."""

    errors: int
    responses: int
    applicable: int

    @property
    def rate(self) -> float:
        """Percentage over all responses: the published figure."""
        return 100.0 * self.errors / self.responses

    @property
    def applicable_rate(self) -> float:
        """Percentage over the responses that have a slot which counts; 0 where none has."""
        return 100.0 * self.errors / self.applicable if self.applicable else 0.0


def missing_values(example: Example, response: str, schema: Schema) -> tuple[str, ...]:
    """The values of non-categorical slots that are no substring of the response, case ignored."""
    said = response.lower()
    return tuple(
        value
        for act in example.acts
        if schema.is_non_categorical(example.service, act.slot)
        for value in act.values
        if value.lower() not in said
    )


def slot_error_rate(examples: Sequence[Example], responses: Sequence[str], schema: Schema) -> SlotErrorRate:
    """The rate over a corpus; `responses[i]` answers `examples[i]`. `schema` should be the union of all splits."""
    check_one_each("responses", responses, examples)
    errors = sum(
        bool(missing_values(example, response, schema)) for example, response in zip(examples, responses, strict=True)
    )
    applicable = sum(
        any(schema.is_non_categorical(example.service, act.slot) for act in example.acts) for example in examples
    )
    return SlotErrorRate(errors, len(examples), applicable)


def slot_error_measures(examples: Sequence[Example], responses: Sequence[str], schema: Schema) -> tuple[Measure, ...]:
    """`ser` over all responses, the published figure, and `ser_applicable` over those with a slot that counts."""
    check_one_each("responses", responses, examples)
    wrong = [
        bool(missing_values(example, response, schema)) for example, response in zip(examples, responses, strict=True)
    ]
    counts = [any(schema.is_non_categorical(example.service, act.slot) for act in example.acts) for example in examples]
    settings = "values of non-categorical slots|case:ignored|substring"
    return (
        percentage("ser", f"{settings}|over all responses", wrong),
        percentage("ser_applicable", f"{settings}|over those with such a slot", wrong, counts),
    )
