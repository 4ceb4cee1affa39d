"""Strict slot error rate: each value, case as written, as a whole word at a place that it shares with no other value.

Exact: values whose places collide are placed together by going through all sets of them, never first come first served.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each

Place = tuple[int, int]
SIGNATURE = "each non-categorical slot's value, once a slot|case:mixed|whole words|places of their own|{over}"


def strict_slot_measures(examples: Sequence[Example], texts: Sequence[str], schema: Schema) -> tuple[Measure, ...]:
    """`ser_strict` over all responses and `ser_strict_applicable` over those that have a value to say."""
    check_one_each("texts", texts, examples)
    wanted = [strict_values(example, schema) for example in examples]
    wrong = [not have_places(values, text) for values, text in zip(wanted, texts, strict=True)]
    return (
        percentage("ser_strict", SIGNATURE.format(over="over all responses"), wrong),
        percentage("ser_strict_applicable", SIGNATURE.format(over="over those with a value"), wrong, _any(wanted)),
    )


def strict_values(example: Example, schema: Schema) -> list[str]:
    """The values to say: one for each slot and value, however many acts name the pair; blanks at the ends dropped."""
    pairs = {
        (act.slot, value.strip())
        for act in example.acts
        if schema.is_non_categorical(example.service, act.slot)
        for value in act.values
        if value.strip()
    }
    return [value for _, value in sorted(pairs)]


def have_places(values: Sequence[str], text: str) -> bool:
    """Whether every value can be given a place in `text` as a whole word such that no two places overlap."""
    places = {value: whole_word_places(value, text) for value in values}
    if any(len(places[value]) < count for value, count in Counter(values).items()):
        return False
    return all(_fit(group, places) for group in _colliding(list(values), places))


def whole_word_places(value: str, text: str) -> list[Place]:
    """All places of `value` in `text`, overlapping ones too, that are not inside a longer word."""
    places = []
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not _glued(text, at) and not _glued(text, end):
            places.append((at, end))
        at = text.find(value, at + 1)
    return places


def _glued(text: str, at: int) -> bool:
    """Whether the characters before and after position `at` belong to one word."""
    return 0 < at < len(text) and _in_word(text[at - 1]) and _in_word(text[at])


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


def _colliding(values: list[str], places: dict[str, list[Place]]) -> list[list[str]]:
    """The values in groups such that places of different groups never overlap."""
    spans = sorted((begin, end, value) for value in places for begin, end in places[value])
    group = {value: value for value in places}

    def root(value: str) -> str:
        while group[value] != value:
            value = group[value]
        return value

    reach, last = 0, ""
    for begin, end, value in spans:
        if begin < reach:
            group[root(value)] = root(last)
        if end > reach:
            reach, last = end, value
    grouped: dict[str, list[str]] = {}
    for value in values:
        grouped.setdefault(root(value), []).append(value)
    return list(grouped.values())


def _fit(values: list[str], places: dict[str, list[Place]]) -> bool:
    """Whether these values fit beside each other: the earliest end of every set of them, grown one value at a time."""
    needed = Counter(values)
    kinds = list(needed)
    ends: dict[tuple[int, ...], int] = {(0,) * len(kinds): 0}
    for _ in values:
        grown: dict[tuple[int, ...], int] = {}
        for placed, free in ends.items():
            for kind, value in enumerate(kinds):
                if placed[kind] == needed[value]:
                    continue
                end = min((end for begin, end in places[value] if begin >= free), default=None)
                if end is not None:
                    larger = (*placed[:kind], placed[kind] + 1, *placed[kind + 1 :])
                    grown[larger] = min(end, grown.get(larger, end))
        ends = grown
    return bool(ends)


def _any(wanted: Sequence[Sequence[str]]) -> list[bool]:
    return [bool(values) for values in wanted]
