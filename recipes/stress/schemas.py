"""Schemas in other words, as SGD-X has them (Lee et al., 2022), by rules and synonyms of our own: synonyms.json."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType

from controldag.data.records import Act, Example
from controldag.data.schema import Schema, Service, Slot
from recipes.stress.variant import Change

LEVELS = ("words", "forms", "both")
"""What is said otherwise in descriptions: single words, whole phrases, or both. Names change at every level."""
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A schema in other words, and what its services and slots were called before."""

    schema: Schema
    services: Mapping[str, str]  # old name → new
    slots: Mapping[tuple[str, str], str]  # old service, old slot → new

    @classmethod
    def of(cls, schema: Schema, level: str) -> Paraphrase:
        """Every service and slot renamed and described otherwise, the same way each time."""
        table = _Table.load()
        services: dict[str, Service] = {}
        renamed: dict[str, str] = {}
        slots: dict[tuple[str, str], str] = {}
        for service in schema.services.values():
            names = _distinct(service.slots, table.slot_name)
            slots |= {(service.name, old): new for old, new in names.items()}
            changed = [_slot(slot, names[slot.name], table, level) for slot in service.slots.values()]
            new = renamed[service.name] = table.service_name(service.name)
            services[new] = replace(service, name=new, slots=MappingProxyType({slot.name: slot for slot in changed}))
        return cls(Schema(services), renamed, slots)

    def change(self) -> Change:
        """The same turn with the new names; what it says stays."""

        def change(example: Example) -> Example:
            acts = tuple(
                Act(act.act, self.slots.get((example.service, act.slot), act.slot), act.values) for act in example.acts
            )
            return replace(example, acts=acts, service=self.services[example.service])

        return change


@dataclass(frozen=True, slots=True)
class _Table:
    services: Mapping[str, str]
    words: Mapping[str, str]
    forms: tuple[tuple[re.Pattern[str], str], ...]

    @classmethod
    def load(cls) -> _Table:
        content = json.loads(files(__package__).joinpath("synonyms.json").read_text("utf-8"))
        forms = tuple((re.compile(pattern, re.IGNORECASE), form) for pattern, form in content["forms"])
        return cls(content["services"], content["words"], forms)

    def service_name(self, name: str) -> str:
        """`Restaurants_2` is `DiningOut_2`; a service that the table lacks is turned around."""
        base, _, number = name.partition("_")
        other = self.services.get(base, base[::-1].capitalize())
        return f"{other}_{number}" if number else other

    def slot_name(self, name: str) -> str:
        """`restaurant_name` is `title_eatery`: other words, the other way around."""
        return "_".join(self.in_other_words(part).replace(" ", "_") for part in reversed(name.split("_")))

    def in_other_words(self, text: str) -> str:
        return _WORD.sub(lambda match: self.words.get(match.group().lower(), match.group()), text)

    def in_another_form(self, text: str) -> str:
        for pattern, form in self.forms:
            if match := pattern.fullmatch(text):
                return match.expand(form)
        return text


def _slot(slot: Slot, name: str, table: _Table, level: str) -> Slot:
    description = slot.description
    if level in ("forms", "both"):
        description = table.in_another_form(description)
    if level in ("words", "both"):
        description = table.in_other_words(description)
    return replace(slot, name=name, description=description)


def _distinct(names: Mapping[str, Slot], rename: Callable[[str], str]) -> dict[str, str]:
    """New names, no two the same."""
    new: dict[str, str] = {}
    for old in names:
        wanted = rename(old)
        new[old] = f"{wanted}_{len(new)}" if wanted in new.values() else wanted
    return new
