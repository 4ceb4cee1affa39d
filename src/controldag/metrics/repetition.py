"""Repetition: texts that say three words in a row twice, or one word twice in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from controldag.data.records import Example
from controldag.metrics.inputs import input_texts
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def repetition_measures(examples: Sequence[Example], texts: Sequence[str]) -> tuple[Measure, ...]:
    """`repeated_trigrams` and `doubled_words`, in percent of all texts; what the input itself repeats is no fault."""
    check_one_each("texts", texts, examples)
    pairs = list(zip(examples, texts, strict=True))
    signature = "words without punctuation|case:ignored|not those of the input"
    return (
        percentage("repeated_trigrams", f"{signature}|n:3", [repeats(*pair) for pair in pairs]),
        percentage("doubled_words", f"{signature}|n:1", [doubles(*pair) for pair in pairs]),
    )


def repeats(example: Example, text: str) -> bool:
    """Whether three words in a row occur twice, other than within values of the input."""
    seen: set[tuple[str, ...]] = set()
    given = {trigram for each in input_texts(example) for trigram in _trigrams(each)}
    for trigram in _trigrams(text):
        if trigram in seen and trigram not in given:
            return True
        seen.add(trigram)
    return False


def doubles(example: Example, text: str) -> bool:
    """Whether a word is said twice in a row, other than in a value of the input (`Duran Duran`)."""
    given = {pair for each in input_texts(example) for pair in _doubled(each)}
    return any(word not in given for word in _doubled(text))


def _trigrams(text: str) -> list[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return list(zip(words, words[1:], words[2:], strict=False))


def _doubled(text: str) -> list[str]:
    words = _WORD.findall(text.lower())
    return [one for one, other in pairwise(words) if one == other]
