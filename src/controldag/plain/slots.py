"""What is said of one slot: a statement with its values, a question for them, and that any value will do."""

from __future__ import annotations

import re
from functools import lru_cache

from controldag.data.phrases import NO_VALUE, SWITCHES_OF_ACTS
from controldag.data.schema import Service, Slot
from controldag.data.value_kinds import kind_of
from controldag.plain.english import joined, plural, singular
from controldag.plain.flags import Flag, flag_of
from controldag.plain.times import all_when
from controldag.plain.wording import Wording, wording_of

# Longer names and descriptions are cut: they are no names, and nobody would read them out.
_LONGEST_NAME = 120
_LONGEST_DESCRIPTION = 400
_BARE_NUMBER = re.compile(r"[-+]?\d[\d.,]*")
_YES = frozenset(("true", "yes"))
_NO = frozenset(("false", "no"))
_ANY = "dontcare"


def slot_of(service: Service | None, name: str) -> Slot:
    """The slot of the service, or one that has nothing but its name."""
    found = service.slots.get(name) if service is not None else None
    if found is None:
        return Slot(name[:_LONGEST_NAME])
    return Slot(
        found.name[:_LONGEST_NAME],
        found.description[:_LONGEST_DESCRIPTION],
        found.is_categorical,
        found.possible_values,
    )


def is_flag(slot: Slot, values: tuple[str, ...]) -> bool:
    """Whether the slot is true or false: by its possible values, or by the value at hand."""
    allowed = {value.lower() for value in slot.possible_values if value.lower() != _ANY}
    if allowed:
        return bool(allowed & {"true", "false"}) and allowed <= _YES | _NO
    return bool(values) and all(value in ("True", "False") for value in values)


def statement(slot: Slot, values: tuple[str, ...], conjunction: str = "and") -> str:
    """A clause, without capital and stop, that says what the values of the slot are."""
    if is_flag(slot, values) and len(set(values)) == 1 and values[0].lower() in _YES | _NO | {_ANY}:
        return _flag_statement(flag(slot), values[0].lower())
    wording = worded(slot)
    if not values:
        return f"this is about {wording.subject}"
    if _ANY in values:
        rest = tuple(value for value in values if value != _ANY)
        whatever = f"{wording.subject} {'do' if wording.plural else 'does'} not matter"
        return f"{statement(slot, rest, conjunction)}, and otherwise {whatever}" if rest else whatever
    if values == (NO_VALUE,) and slot.is_categorical:
        return f"there is no {re.sub(r'^(?:the|your|an?) ', '', wording.subject)}"
    return _with_values(wording, values, conjunction)


def _flag_statement(wording: Flag, value: str) -> str:
    if value == _ANY:
        return f"it does not matter whether {wording.whether}"
    return wording.yes if value in _YES else wording.no


def _with_values(wording: Wording, values: tuple[str, ...], conjunction: str) -> str:
    said = joined([_value(wording, value) for value in values], conjunction)
    if wording.around is not None:
        before, after = wording.around
        return f"{before} {said} {after}".strip()
    points = all_when(values) if wording.happening else None
    if points is not None:
        return f"{wording.happening} {joined(points, conjunction)}"
    if len(values) > 1 and wording.several:
        return f"{wording.several} are {said}"
    many = wording.plural and not (len(values) == 1 and _BARE_NUMBER.fullmatch(values[0]))
    return f"{wording.subject} {'are' if many else 'is'} {said}"


def _value(wording: Wording, value: str) -> str:
    if wording.unit and _BARE_NUMBER.fullmatch(value):
        unit = wording.unit if value != "1" or " " in wording.unit else singular(wording.unit)
        return f"{value} {unit}"
    if wording.free_text and " " in value and not value.startswith(('"', "“")) and '"' not in value:
        return f'"{value}"'
    return value


def question(slot: Slot, suggestions: tuple[str, ...]) -> str:
    """A question for the slot, without capital and question mark; suggestions are named as examples."""
    choices = tuple(value for value in suggestions if value not in SWITCHES_OF_ACTS)
    if is_flag(slot, suggestions):
        return flag(slot).asked
    wording = worded(slot)
    asked = wording.question or f"what {'are' if wording.plural else 'is'} {wording.subject}"
    if not choices:
        return asked
    return f"{asked}, for example {joined([_value(wording, choice) for choice in choices], 'or')}"


def names_a_thing(slot: Slot, values: tuple[str, ...]) -> bool:
    """Whether the values are names of things that the slot's wording can stand in front of: `the workshop X`."""
    if not values or is_flag(slot, values) or not worded(slot).thing:
        return False
    return all(value not in SWITCHES_OF_ACTS and kind_of(value) in ("name", "numbered name") for value in values)


def introduced(slot: Slot, values: tuple[str, ...], conjunction: str = "and") -> str:
    """`the workshop Bay Street Auto`, `the workshops Ridgeway Motors and Bay Street Auto`."""
    thing = worded(slot).thing
    if any(thing.split()[-1].lower() in value.lower() for value in values):
        return joined(list(values), conjunction)
    return f"the {plural(thing) if len(values) > 1 else thing} {joined(list(values), conjunction)}"


@lru_cache(maxsize=4096)
def worded(slot: Slot) -> Wording:
    """The wording of a slot, made once."""
    return wording_of(slot)


@lru_cache(maxsize=4096)
def flag(slot: Slot) -> Flag:
    """The wordings of a flag, made once."""
    return flag_of(slot.name, slot.description)
