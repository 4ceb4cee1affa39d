"""Unsupported numbers: texts with a number that their input does not hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controldag.data.records import Example
from controldag.metrics.inputs import input_texts
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


def unsupported_numbers(example: Example, text: str) -> tuple[str, ...]:
    """The numbers of the text that are not, between characters that are no digits, in any value of the input."""
    given = [number for each in input_texts(example) for number in _NUMBER.findall(each)]
    # A number may begin inside one of the input: `10:30` of `9/10:30` is as good as `9/10:30`.
    return tuple(number for number in _NUMBER.findall(text) if not any(_within(number, whole) for whole in given))


def unsupported(examples: Sequence[Example], texts: Sequence[str]) -> Measure:
    """`unsupported`: percentage of texts with such a number."""
    check_one_each("texts", texts, examples)
    wrong = [bool(unsupported_numbers(example, text)) for example, text in zip(examples, texts, strict=True)]
    return percentage("unsupported", "digits with . , : / - inside|in the values of the input", wrong)


def _within(number: str, whole: str) -> bool:
    return re.search(rf"(?<!\d){re.escape(number)}(?!\d)", whole) is not None
