"""What a schema could say better: nothing of it is wrong, but texts are made from its words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controldag.data.schema import PSEUDO_SLOTS, Schema, Service, Slot

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def advice(schema: Schema) -> list[str]:
    """A line for each thing that makes texts worse, with what to do about it."""
    return [line for service in schema.services.values() for line in _of_service(service)]


def _of_service(service: Service) -> Iterator[str]:
    if not service.description:
        yield f"{service.name}: has no description; say in a few words what it is about."
    if not service.slots:
        yield f"{service.name}: has no slots, so there is nothing to tell; add some."
    for intent in service.intents:
        if not intent.description:
            yield f"{service.name}.{intent.name}: has no description; write what it does, as `Reserve a table`."
    for slot in service.slots.values():
        yield from _of_slot(f"{service.name}.{slot.name}", slot)


def _of_slot(name: str, slot: Slot) -> Iterator[str]:
    if slot.name in PSEUDO_SLOTS:
        yield f"{name}: `{slot.name}` means something else in acts; choose another name."
    elif not _NAME.fullmatch(slot.name):
        yield f"{name}: cannot be typed as ACT(slot=value); use letters, digits and `_`."
    if not slot.description:
        yield f"{name}: has no description; sentences are made from it, as `Date on which the book is due`."
    if slot.is_categorical and not slot.possible_values:
        yield f"{name}: is categorical without possible_values; list them, or make it not categorical."
    if not slot.is_categorical and {value.lower() for value in slot.possible_values} & {"true", "false"}:
        yield f"{name}: holds yes or no, but is not categorical; texts would say `True` word for word."
