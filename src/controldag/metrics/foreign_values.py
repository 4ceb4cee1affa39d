"""Known values that the input does not hold: texts that name a city, a film or an airline nobody asked for."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.inputs import input_texts
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each

_LONGEST = 8  # words of a value that are looked for
_SWITCHES = {"True", "False", "None"}


@dataclass(frozen=True, slots=True)
class KnownValues:
    """Names that occur as values, as tuples of words.

    Only what is surely a name: with a capital letter, without a digit, at least three letters, and never written in
    lower case in training texts (`Music` is left out, since people write `music`).
    """

    names: frozenset[tuple[str, ...]]
    source: str = ""

    @classmethod
    def of(cls, examples: Iterable[Example], schema: Schema | None = None, *, source: str = "") -> KnownValues:
        """Those of the examples' values (triples: subjects and objects) and of the schema's possible values."""
        values: set[str] = set()
        lower: set[str] = set()
        for example in examples:
            values.update(value for act in example.acts for value in act.values if act.slot != "intent")
            for triple in example.triples:
                values.update((triple.subject.replace("_", " "), triple.object.replace("_", " ")))
            for reference in example.references:
                lower.update(word for word in _words(reference) if word.islower())
        if schema is not None:
            slots = (slot for service in schema.services.values() for slot in service.slots.values())
            values.update(value for slot in slots for value in slot.possible_values)
        names = {words for value in values - _SWITCHES if _is_name(words := _words(value), lower)}
        return cls(frozenset(names), source)


def foreign_values(example: Example, text: str, known: KnownValues) -> tuple[str, ...]:
    """The known values that stand in the text and in no value of the input, longest first at each place."""
    given = [_words(each) for each in input_texts(example)]
    words = _words(text)
    found = []
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            name = words[at : at + size]
            if name in known.names:
                if not any(_holds(value, name) for value in given):
                    found.append(" ".join(name))
                break
        else:
            size = 1
        at += size
    return tuple(found)


def foreign(examples: Sequence[Example], texts: Sequence[str], known: KnownValues) -> Measure:
    """`foreign_values`: percentage of texts with such a value."""
    check_one_each("texts", texts, examples)
    wrong = [bool(foreign_values(example, text, known)) for example, text in zip(examples, texts, strict=True)]
    return percentage("foreign_values", f"names:{len(known.names)} of {known.source}|case:mixed|whole words", wrong)


def _words(text: str) -> tuple[str, ...]:
    """Blank-separated chunks without punctuation at their edges and without `'s`."""
    cores = (chunk.strip(string.punctuation).removesuffix("'s") for chunk in text.split())
    return tuple(word for word in cores if word)


def _is_name(words: tuple[str, ...], lower: set[str]) -> bool:
    joined = "".join(words)
    if not 0 < len(words) <= _LONGEST or len(joined) < 3 or any(character.isdigit() for character in joined):
        return False
    # `Good Company` could be said without meaning the film: one word must be a name by itself.
    return any(word[0].isupper() and word.lower() not in lower for word in words)


def _holds(value: tuple[str, ...], name: tuple[str, ...]) -> bool:
    return any(value[at : at + len(name)] == name for at in range(len(value) - len(name) + 1))
