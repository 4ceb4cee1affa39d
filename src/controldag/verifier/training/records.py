"""Records to learn from: what an input claims and a text that says it, in words, values cut out of the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

LONGEST_TEXT = 64
MOST_CLAIMS = 12


@dataclass(slots=True)
class Said:
    """One claim of a record: the act's name, what names it (a key of `Wordings`), and the values it holds.

    values, subject: numbers of values of the record; subject -1: none. worded: `true`, `false`, `dontcare`.
    """

    head: str
    key: str = ""
    values: tuple[int, ...] = ()
    subject: int = -1
    worded: tuple[str, ...] = ()


@dataclass(slots=True)
class Record:
    """One text and its claims. In `text`, the number k of a value stands in place of the words it has there."""

    source: str
    service: str
    claims: list[Said]
    values: list[tuple[str, ...]]
    text: list[str | int]


@dataclass(slots=True)
class Wordings:
    """By key of a slot, intent or relation: the ways to name it, each a name and a description, in words.

    services: ways to describe each service. slots, intents: keys by service.
    """

    ways: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = field(default_factory=dict)
    services: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    slots: dict[str, list[str]] = field(default_factory=dict)
    intents: dict[str, list[str]] = field(default_factory=dict)

    def add(self, service: str, key: str, name: Sequence[str], description: Sequence[str], *, intent: bool) -> None:
        """One more way to name a slot or intent of a service."""
        way = (tuple(name)[:8], tuple(description)[:16])
        ways = self.ways.setdefault(key, [])
        if way not in ways:
            ways.append(way)
        keys = (self.intents if intent else self.slots).setdefault(service, [])
        if key not in keys:
            keys.append(key)


def usable(records: Iterable[Record]) -> list[Record]:
    """The records that are short enough and have something to say."""
    return [r for r in records if r.text and len(r.text) <= LONGEST_TEXT and len(r.claims) <= MOST_CLAIMS]
