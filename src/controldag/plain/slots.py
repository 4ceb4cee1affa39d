"""What is said of one slot: a statement with its values, a question for them, and that any value will do."""

from __future__ import annotations

import re
from functools import lru_cache

from controldag.data.phrases import NO_VALUE, SWITCHES_OF_ACTS
from controldag.data.schema import Service, Slot
from controldag.data.value_kinds import kind_of
from controldag.plain.described import cleaned
from controldag.plain.english import joined, plural, with_article, words_of
from controldag.plain.flags import Flag, flag_of
from controldag.plain.lexicon import PREPOSITIONS, is_person, takes_article, word_set
from controldag.plain.slot_wording import wording_of
from controldag.plain.times import all_when
from controldag.plain.units import with_unit
from controldag.plain.wording import Wording

# Longer names and descriptions are cut: they are no names, and nobody would read them out.
_LONGEST_NAME = 120
_LONGEST_DESCRIPTION = 400
_BARE_NUMBER = re.compile(r"[-+]?\d[\d.,]*")
# Plural nouns whose numbers say how much, not how many.
_AMOUNTS = re.compile(
    r"\b(?:rating|charge|fee|cost|price|score|result|rate|temperature|coordinate|odd|dimension|expense|saving|earning)s\b"
)
_ENDS_OF_JOURNEYS = word_set("departure arrival origin destination pickup dropoff starting ending start end")
_TAIL = re.compile(r" (?:of|until|for|in|per|that|to|on|at) .*$")
_YES = frozenset(("true", "yes"))
_NO = frozenset(("false", "no"))
_ANY = "dontcare"
# Of these a value is one: the pet is a dog. And the room is the kitchen.
_ONE_OF_MANY = word_set("device pet animal vehicle instrument appliance machine tool item object gift plant bird tree")
_PLACES = word_set("room location place")


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
        return allowed <= _YES | _NO
    return bool(values) and all(value in ("True", "False") for value in values)


def statement(slot: Slot, values: tuple[str, ...], conjunction: str = "and") -> str:
    """A clause, without capital and stop, that says what the values of the slot are."""
    if values and is_flag(slot, values) and {value.lower() for value in values} <= _YES | _NO | {_ANY}:
        return flag_clause(slot, values)
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


def flag_clause(slot: Slot, values: tuple[str, ...]) -> str:
    """What a flag's value says; `Yes` and `No`, unlike `True` and `False`, are words that can be said."""
    wording, value = flag(slot), values[0]
    if len(values) > 1 or value.lower() == _ANY:
        matters = "it is open" if len(values) > 1 else "it does not matter"
        said = "".join(f"{each}, " for each in values if each.lower() in ("yes", "no"))
        return f"{said}{matters} whether {wording.whether}"
    clause = wording.yes if value.lower() in _YES else wording.no
    return f"{value}, {clause}" if value.lower() in ("yes", "no") else clause


def _with_values(wording: Wording, values: tuple[str, ...], conjunction: str) -> str:
    conjunction = "and" if wording.plural else conjunction
    said = joined([_value(wording, value) for value in values], conjunction)
    if wording.around is not None:
        before, after = wording.around
        last = before.rsplit(" ", 1)[-1]
        if said.lower().startswith(f"{last} ") and last in PREPOSITIONS:
            before = before.removesuffix(f" {last}")
        return f"{before} {said} {after}".strip()
    points = all_when(values) if wording.happening else None
    if points is not None:
        return f"{wording.happening} {joined(points, conjunction)}"
    if len(values) > 1 and wording.several and conjunction == "and":
        return f"{wording.several} are {said}"
    is_count = wording.plural and len(values) == 1 and _BARE_NUMBER.fullmatch(values[0]) and not wording.unit
    if is_count and not _AMOUNTS.search(_TAIL.sub("", wording.subject)):
        return f"the number of {re.sub(r'^the ', '', wording.subject)} is {said}"
    return f"{wording.subject} {'are' if wording.plural else 'is'} {said}"


def said_value(slot: Slot, value: str) -> str:
    """The value with its unit, in quotation marks where it is free text."""
    return _value(worded(slot), value)


def _value(wording: Wording, value: str) -> str:
    if wording.unit and _BARE_NUMBER.fullmatch(value):
        return with_unit(value, wording.unit)
    if value.lower().startswith("day after "):
        return f"the {value}"
    if value.islower() and takes_article(value.split()[-1]) and len(value.split()) < 4:
        head = wording.subject.split(" ", 2)[1] if wording.subject.startswith(("the ", "your ")) else ""
        if head in _ONE_OF_MANY or (wording.around is not None and wording.around[0].endswith(" for")):
            return with_article(value)
        if head in _PLACES and wording.subject == f"the {head}":
            return f"the {value}"
    if wording.free_text and " " in value and not value.startswith(('"', "“")) and '"' not in value:
        return f'"{value}"'
    return value


def question(slot: Slot, suggestions: tuple[str, ...]) -> str:
    """A question for the slot, without capital and question mark; suggestions are named as examples."""
    choices = tuple(value for value in suggestions if value not in SWITCHES_OF_ACTS)
    if is_flag(slot, suggestions):
        asked = flag(slot).asked
        return f"{asked}, {joined(list(choices), 'or')}" if choices else asked
    wording = worded(slot)
    asked = wording.question or f"what {'are' if wording.plural else 'is'} {wording.subject}"
    if not choices:
        return asked
    named = joined([_value(wording, choice) for choice in choices], "or")
    if not set(choices) >= set(slot.possible_values) - {_ANY} != set():
        return f"{asked}, for example {named}"
    return f"{asked}: {named}" if len(choices) > 2 else f"{asked}, {named}"


def names_a_thing(slot: Slot, values: tuple[str, ...]) -> bool:
    """Whether the values are names of things that the slot's wording can stand in front of: `the workshop X`."""
    thing = worded(slot).thing
    if not values or is_flag(slot, values) or not thing or thing.split()[0] in _ENDS_OF_JOURNEYS:
        return False
    if not holds_names(slot) and any(value[0].islower() for value in values):
        return False
    return all(value not in SWITCHES_OF_ACTS and kind_of(value) in ("name", "numbered name") for value in values)


def holds_names(slot: Slot) -> bool:
    """Whether the slot holds the name of something: by its description, or by its own name."""
    says = re.search(r"\b(?:name|title) (?:of|for) |^who is the [a-z]+$", cleaned(slot.description))
    return bool(worded(slot).thing) and (says is not None or words_of(slot.name)[-1:] in (("name",), ("title",)))


def introduced(slot: Slot, values: tuple[str, ...], *, known: str = "") -> str:
    """`the workshop Bay Street Auto`, `the workshops Ridgeway Motors and Bay Street Auto`.

    The kind of thing is left out where the name holds it, or where it is `known` already.
    """
    thing = worded(slot).thing
    # A name that begins small would melt into the sentence.
    said = [f'"{value}"' if value[0].islower() and '"' not in value else value for value in values]
    titled = is_person(thing.split()[-1]) and all(
        value.startswith(("Dr.", "Prof.", "Mr.", "Ms.", "Mrs.")) for value in values
    )
    if known == thing.split()[-1] or titled or any(thing.split()[-1].lower() in value.lower() for value in values):
        return joined(said)
    return f"the {plural(thing) if len(values) > 1 else thing} {joined(said)}"


@lru_cache(maxsize=4096)
def worded(slot: Slot) -> Wording:
    """The wording of a slot, made once."""
    return wording_of(slot)


@lru_cache(maxsize=4096)
def flag(slot: Slot) -> Flag:
    """The wordings of a flag, made once."""
    return flag_of(slot.name, slot.description)
