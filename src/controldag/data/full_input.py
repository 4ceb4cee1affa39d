"""The fuller input: one form for acts and triples, with everything a schema says about them in words.

`system rental cars ; reserve car : rent a car nearby <h> offer <r> car name : name of the car <t> <v0> Dacia Duster`
for acts (service, its intents, its description; then facts), and `writer <h> Marie Curie <r> birth place <t> Warsaw`
for triples. Each fact begins with `<h>`. What stands before the first `<h>`, and between `<r>` and `<t>`, are words of
the schema; values stand elsewhere. So words of the schema can be found in the finished text (`schema_parts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from controldag.data.phrases import SLOT_OF_INTENTS
from controldag.data.records import Act, Example
from controldag.data.schema import PSEUDO_SLOTS, Schema, Service

FACT, RELATION, OBJECT = "<h>", "<r>", "<t>"
WRITER = "writer"
"""Who says triples: no speaker of a dialogue."""
SERVICE, INTENTS, ABOUT, NAME, DESCRIPTION = "service", "intents", "about", "name", "description"
"""Parts of a schema: of the service its name, its intents and its description; the names of slots, relations and
intents that acts speak of, and their descriptions."""

_MOST_WORDS = 24  # of a description
_MOST_INTENTS = 4
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NUMBER_AT_END = re.compile(r"_?\d+$")
_SCHEMA_PART = re.compile(rf"(?:^|(?<={RELATION} )).*?(?= {FACT}| {RELATION}| {OBJECT}|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SchemaPart:
    """Where words of the schema stand in a full input, and which part of the schema they are."""

    start: int
    end: int
    part: str


def full_text(example: Example, schema: Schema | None, separator: str) -> str:
    """The full input of an example; acts need a schema that has their service."""
    if example.triples:
        facts = (
            f"{FACT} {each.subject} {RELATION} {words_of_name(each.relation)} {OBJECT} {each.object}"
            for each in example.triples
        )
        return " ".join([WRITER, *facts])
    service = None if schema is None else schema.service(example.service)
    return " ".join([_opening(example, service), *(_act_text(act, service, separator) for act in example.acts)])


def words_of_name(name: str) -> str:
    """A name of a schema in plain words: `leavingTime`, `leaving_time` and `LEAVING_TIME` are `leaving time`."""
    apart = _CAMEL.sub(" ", name.strip("[]")).replace("_", " ")
    return " ".join(apart.split()).lower() or name


def words_of_service(name: str) -> str:
    """The name of a service in plain words, without its number: `RentalCars_3` is `rental cars`."""
    return words_of_name(_NUMBER_AT_END.sub("", name))


def schema_parts(text: str) -> Iterator[SchemaPart]:
    """The parts of a full input that are words of the schema, in order."""
    for match in _SCHEMA_PART.finditer(text):
        start, end = match.span()
        colon = text.find(" : ", start, end)
        named = end if colon < 0 else colon
        if start:
            yield SchemaPart(start, named, NAME)
        else:
            yield from _opening_parts(text, named)
        if colon >= 0:
            yield SchemaPart(colon + 3, end, DESCRIPTION if start else ABOUT)


def _opening_parts(text: str, end: int) -> Iterator[SchemaPart]:
    """Name and intents of the service, behind the first word, which says who speaks."""
    blank, semicolon = text.find(" ", 0, end), text.find(" ; ", 0, end)
    if 0 <= blank != semicolon:
        yield SchemaPart(blank + 1, end if semicolon < 0 else semicolon, SERVICE)
    if semicolon >= 0:
        yield SchemaPart(semicolon + 3, end, INTENTS)


def _opening(example: Example, service: Service | None) -> str:
    if service is None:
        return example.speaker
    named = f"{example.speaker} {words_of_service(service.name)}".strip()
    if service.intents:
        named += " ; " + " , ".join(words_of_name(intent.name) for intent in service.intents[:_MOST_INTENTS])
    return f"{named} : {_short(service.description)}" if service.description else named


def _act_text(act: Act, service: Service | None, separator: str) -> str:
    opening = f"{FACT} {words_of_name(act.act)}"
    if act.slot == SLOT_OF_INTENTS:
        # Names of intents are words of the schema, not values: nobody says `ReserveRestaurant`.
        return " ".join([opening, *(f"{RELATION} {_intent(name, service)}" for name in act.values)])
    if act.slot:
        opening += f" {RELATION} {_slot(act.slot, service)}"
    return f"{opening} {OBJECT} {separator.join(act.values)}" if act.values else opening


def _intent(name: str, service: Service | None) -> str:
    intents = () if service is None else service.intents
    return _described(name, next((each.description for each in intents if each.name == name), ""))


def _slot(name: str, service: Service | None) -> str:
    if service is None or name in PSEUDO_SLOTS:
        return words_of_name(name)
    return _described(name, service.slot(name).description)


def _described(name: str, description: str) -> str:
    words = words_of_name(name)
    return f"{words} : {_short(description)}" if description else words


def _short(description: str) -> str:
    """The description without marks of ours, in lower case, since no text repeats its capitals, and not too long."""
    plain = re.sub(r"<\w+>", " ", description)
    return " ".join(plain.split()[:_MOST_WORDS]).lower()
