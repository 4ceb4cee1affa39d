"""Values to try a slot with: what its name and description say that it holds, made up."""

from __future__ import annotations

import re

from controldag.data.schema import Slot

# By words of a slot's name, or else of its description, the first rule that fits; three values each, all made up.
_RULES: tuple[tuple[str, tuple[str, str, str]], ...] = (
    ("phone telephone mobile", ("020-5550-0142", "020-5550-0187", "020-5550-0113")),
    ("email mail", ("info@example.org", "desk@example.org", "anna@example.org")),
    ("price cost fee fare charge amount total deposit rent balance", ("$12.50", "$40", "$7")),
    ("duration length minutes hours wait", ("2 hours", "45 minutes", "90 minutes")),
    ("date day due deadline birthday checkin checkout", ("May 5th", "next Friday", "June 21st")),
    ("time hour departure arrival leaves arrives opens closes start end", ("7:40 am", "half past 3", "6 pm")),
    ("rating score stars", ("4.2", "3.8", "4.9")),
    ("temperature", ("18 degrees", "25 degrees", "7 degrees")),
    ("number count quantity people guests party seats tickets adults children rooms beds size", ("3", "2", "6")),
    ("percent percentage discount humidity chance", ("15%", "30%", "5%")),
    ("street address", ("12 Mill Lane", "7 Harbour Road", "40 Station Street")),
    ("city town place location area destination origin port station airport", ("Oban", "Harwick", "Port Ellen")),
    ("author director artist doctor dentist stylist owner driver teacher", ("Ines Moreau", "Tom Hale", "Ada Wren")),
    ("website url link", ("example.org", "example.com", "example.net")),
    ("title book film movie song album", ("Paper Boats", "The Long Quay", "Winter Salt")),
)  # fmt: skip
_NAMES = ("Alder & Son", "Blue Heron", "Juniper House")
# Behind these a description says what else the value belongs to: `Branch of the library that has the book`.
_REST = re.compile(r"\b(?:of|for|from|in|on|at|to|that|which|where|when|by)\b")
_YES_OR_NO = {"true", "false"}


def sample_value(slot: Slot, number: int = 0) -> str:
    """A value that the slot may hold; another for each `number`."""
    possible = [value for value in slot.possible_values if value]
    if slot.is_categorical and possible:
        return possible[number % len(possible)]
    if slot.is_categorical:
        return ("True", "False")[number % 2]
    for text in (slot.name, _REST.split(slot.description)[0]):
        words = set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("_", " ").lower()))
        for known, values in _RULES:
            if words & set(known.split()):
                return values[number % len(values)]
    return _NAMES[number % len(_NAMES)]


def is_yes_or_no(slot: Slot) -> bool:
    """Whether the slot holds a yes or a no rather than a value to say."""
    possible = {value.lower() for value in slot.possible_values}
    return slot.is_categorical and (not possible or bool(possible & _YES_OR_NO))
