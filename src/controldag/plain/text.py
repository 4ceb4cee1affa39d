"""Plain sentences for any input, right by construction."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from controldag.data.records import Example
from controldag.data.schema import Schema, Service
from controldag.data.templates import Templates
from controldag.errors import InvalidInput, utf8
from controldag.plain.facts import say_facts
from controldag.plain.turn import say_acts

# A turn of a dialogue has a handful of acts; far more are no turn.
_MOST_ACTS = 1000
_NUMBER = re.compile("[0-9]")


def plain_text(example: Example, schema: Schema | None, templates: Templates | None = None) -> str:
    """What the example says, in plain sentences: no word of it is learnt, and every value stands in it as it is.

    `schema` gives slots and intents their meaning; what it does not hold is said by name. `templates`: sentences of the
    user's, which come first. InvalidInput where there is nothing to say or a value cannot be part of a text.
    """
    if example.triples:
        return say_facts(example.triples)
    if not example.acts:
        raise InvalidInput.of("example", "have acts or triples", example.id, remedy="Write ACT(slot=value).")
    if len(example.acts) > _MOST_ACTS:
        rule = f"have at most {_MOST_ACTS:,} acts"
        raise InvalidInput.of("example", rule, len(example.acts), remedy="Say them in several turns.")
    for text in _texts(example):
        utf8("acts", text)
        if "\0" in text:
            raise InvalidInput.of("acts", "hold no NUL byte", text, remedy="Remove it.")
    service = schema.services.get(example.service) if schema is not None else None
    return say_acts(example.acts, _without_numbers(service), templates)


def _without_numbers(service: Service | None) -> Service | None:
    """The service without descriptions that hold numbers (`on a scale of 5`): a text has numbers of its input only."""
    if service is None or not any(_NUMBER.search(slot.description) for slot in service.slots.values()):
        return service
    slots = {
        name: replace(slot, description="") if _NUMBER.search(slot.description) else slot
        for name, slot in service.slots.items()
    }
    return replace(service, slots=slots)


def _texts(example: Example) -> Iterable[str]:
    for act in example.acts:
        yield act.act
        yield act.slot
        yield from act.values
