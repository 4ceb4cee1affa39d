"""Turns about values that training never held: rare, of other scripts, long, equal, part of each other."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from controldag.data.exchange import exchangeable, exchanged, is_name
from controldag.data.records import Example
from controldag.data.schema import Schema
from recipes.stress.variant import Change

LONGEST = 200
"""Characters of a long value, at most."""
_SHORTEST = 100
_SEED = 20240707


def kinds() -> dict[str, tuple[str, ...]]:
    """The values of values.json, by kind."""
    text = files(__package__).joinpath("values.json").read_text("utf-8")
    return {kind: tuple(values) for kind, values in json.loads(text).items()}


def changes_of_values(schema: Schema) -> Iterator[tuple[str, Change]]:
    """Every change of values, with its name."""
    by_kind = kinds()
    for kind, values in by_kind.items():
        yield kind, _for_names(schema, kind, 1, _each_of(values))
    names = by_kind["rare names"]
    yield "long", _for_names(schema, "long", 1, _long(names))
    yield "equal", _for_names(schema, "equal", 2, lambda count, chance: [chance.choice(names)] * count)
    yield "inside another", _for_names(schema, "inside another", 2, _growing(names))
    yield "overlapping", _for_names(schema, "overlapping", 2, _overlapping(names))
    yield "other digits", _other_digits(schema)


Draw = Callable[[int, random.Random], Sequence[str]]


def _for_names(schema: Schema, kind: str, least: int, draw: Draw) -> Change:
    """All names of a turn, `least` or more, exchanged for as many drawn values."""

    def change(example: Example) -> Example | None:
        names = [value for value in exchangeable(example, schema) if is_name(value)]
        if len(names) < least:
            return None
        drawn = draw(len(names), _chance(kind, example))
        return exchanged(example, dict(zip(names, drawn, strict=True)))

    return change


def _each_of(values: Sequence[str]) -> Draw:
    """No value twice, as long as there are others."""
    return lambda count, chance: (chance.sample(values, len(values)) * count)[:count]


def _long(words: Sequence[str]) -> Draw:
    def one(chance: random.Random) -> str:
        wanted = chance.randint(_SHORTEST, LONGEST)
        text = chance.choice(words)
        while len(longer := f"{text} {chance.choice(words)}") <= wanted:
            text = longer
        return text

    return lambda count, chance: [one(chance) for _ in range(count)]


def _growing(words: Sequence[str]) -> Draw:
    """`A`, `A B`, `A B C`, in random order."""

    def draw(count: int, chance: random.Random) -> list[str]:
        parts = chance.sample(words, count)
        grown = [" ".join(parts[: end + 1]) for end in range(count)]
        return chance.sample(grown, count)

    return draw


def _overlapping(words: Sequence[str]) -> Draw:
    """`A B`, `B C`, `C D`: one could end where the next begins, and must not."""

    def draw(count: int, chance: random.Random) -> list[str]:
        parts = chance.sample(words, count + 1)
        return [f"{first} {second}" for first, second in pairwise(parts)]

    return draw


def _other_digits(schema: Schema) -> Change:
    """Every digit of prices, times, addresses and numbers drawn anew; the first of a number is never 0."""

    def change(example: Example) -> Example | None:
        chance = _chance("other digits", example)
        values = [value for value in exchangeable(example, schema) if any("0" <= each <= "9" for each in value)]
        new = {value: _drawn_anew(value, chance) for value in values}
        return exchanged(example, new) if new else None

    return change


def _drawn_anew(value: str, chance: random.Random) -> str:
    return "".join(chance.choice("123456789") if "0" <= each <= "9" else each for each in value)


def _chance(kind: str, example: Example) -> random.Random:
    """Random numbers of this turn's own: those of another turn or kind change nothing here."""
    return random.Random(f"{_SEED}/{kind}/{example.id}")
