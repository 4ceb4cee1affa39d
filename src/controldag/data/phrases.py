"""What an input itself asks for or allows: phrases that must stand, names that may stand, numbers that may stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from controldag.data.records import Example, Triple
from controldag.data.schema import PSEUDO_SLOTS, Schema

# Values that say yes, no or "any": they steer the wording and are no names to be repeated.
SWITCHES_OF_ACTS = frozenset({"True", "False", "dontcare"})
# The value of a categorical slot that has none (`subtitle_language = None`): people say `without subtitles`.
NO_VALUE = "None"
SWITCHES_OF_TRIPLES = frozenset(
    written for word in ("yes", "no", "true", "false") for written in (word, word.title(), word.upper())
)
# DART marks the page title of a table, and the table itself, with these; they are no part of a sentence.
TABLE_MARKERS = ("[TABLECONTEXT]", "[TITLE]")
# `intent` holds names of API calls (`ReserveRestaurant`), which nobody says.
SLOT_OF_INTENTS = "intent"

# A number as people write it (4.2, 12:30, 1,000, 610-625-8000), and the runs of digits inside it.
_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")
_DIGITS = re.compile(r"[0-9]+")


def hard_phrases(example: Example, schema: Schema) -> tuple[str, ...]:
    """The values that a response must contain, in the order of the acts: those the slot error rate looks for.

    These are the values of non-categorical slots. A slot that is mentioned twice with one value asks for it once;
    a value that belongs to two slots is returned twice, since a response has to say it once for each.
    """
    wanted: dict[tuple[str, str], None] = {}
    for act in example.acts:
        if schema.is_non_categorical(example.service, act.slot):
            wanted.update(((act.slot, value), None) for value in act.values if value)
    return tuple(value for _, value in wanted)


def number_phrases(example: Example, schema: Schema) -> tuple[str, ...]:
    """The numbers that a response should say beside `hard_phrases`: whole numbers of categorical slots, and counts.

    No slot error rate looks for them, but people always say them (docs/decisions/0012).
    """
    wanted: dict[tuple[str, str], None] = {}
    for act in example.acts:
        if not schema.is_non_categorical(example.service, act.slot):
            values = (value.strip() for value in act.values)
            wanted.update(((act.slot, value), None) for value in values if _DIGITS.fullmatch(value))
    return tuple(value for _, value in wanted)


def category_phrases(example: Example, schema: Schema) -> tuple[str, ...]:
    """The values of categorical slots that are words: a response should say each of them, in upper or lower case.

    No slot error rate looks for them either, but people always say them (docs/decisions/0013).
    """
    wanted: dict[str, None] = {}
    for act in example.acts:
        if act.slot not in PSEUDO_SLOTS and not schema.is_non_categorical(example.service, act.slot):
            values = (value.strip() for value in act.values)
            wanted.update((value, None) for value in values if value and not _DIGITS.fullmatch(value))
    return tuple(value for value in wanted if value not in SWITCHES_OF_ACTS and value != NO_VALUE)


def entities(example: Example) -> tuple[str, ...]:
    """The names this input licenses, each once, in input order: what the dynamic automaton of Eq. 1 accepts.

    For acts: all values but `True`, `False`, `dontcare` and names of intents. For triples: subjects and objects,
    `_` read as a blank, but yes, no, true, false and DART's table markers.
    """
    return tuple(dict.fromkeys(_names(example)))


def licensed_numbers(example: Example) -> frozenset[str]:
    """Every number the input holds, as written (`12:30`), and each run of digits inside it (`12`, `30`).

    Looked for in all values of acts (`count` included), and in subject, relation and object of triples.
    """
    numbers: set[str] = set()
    for text in _all_texts(example):
        for match in _NUMBER.finditer(text):
            numbers.add(match.group())
            numbers.update(_DIGITS.findall(match.group()))
    return frozenset(numbers)


def is_table_marker(value: str) -> bool:
    """Whether `value` is DART's mark for a table rather than a name."""
    return value.startswith(TABLE_MARKERS)


def _names(example: Example) -> Iterator[str]:
    for act in example.acts:
        if act.slot != SLOT_OF_INTENTS:
            yield from (value for value in map(str.strip, act.values) if value and value not in SWITCHES_OF_ACTS)
    for value in _ends(example.triples):
        name = value.replace("_", " ").strip()
        if name and name not in SWITCHES_OF_TRIPLES and not is_table_marker(name):
            yield name


def _ends(triples: Iterable[Triple]) -> Iterator[str]:
    for triple in triples:
        yield triple.subject
        yield triple.object


def _all_texts(example: Example) -> Iterator[str]:
    for act in example.acts:
        yield from act.values
    for triple in example.triples:
        yield from (triple.subject, triple.relation, triple.object)
