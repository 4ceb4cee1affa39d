"""The same turn under another wording of its schema (SGD-X): other names, the same slots, places and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controldag.data.phrases import SLOT_OF_INTENTS
from controldag.data.records import Act, Example
from controldag.data.schema import Schema, Service
from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a schema, and what its services, slots and intents are called in it."""

    schema: Schema
    services: Mapping[str, str]  # name of a service → its name here
    slots: Mapping[tuple[str, str], str]  # service, name of a slot → its name here
    intents: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, original: Schema, schema: Schema, number: int) -> Wording:
        """Variant `number` of SGD-X: `Banks_1` is `Banks_13` in the third; slots and intents keep their places."""
        services: dict[str, str] = {}
        slots: dict[tuple[str, str], str] = {}
        intents: dict[tuple[str, str], str] = {}
        for name, service in original.services.items():
            other = schema.services.get(f"{name}{number}")
            if other is None:
                continue
            services[name] = other.name
            slots |= _paired(service, list(service.slots), list(other.slots))
            intents |= _paired(service, [i.name for i in service.intents], [i.name for i in other.intents])
        return cls(schema, services, slots, intents)

    def apply(self, example: Example) -> Example:
        """The example as this wording names it; as it is where the wording lacks its service."""
        service = self.services.get(example.service)
        if service is None:
            return example
        acts = tuple(self._act(act, example.service) for act in example.acts)
        return replace(example, service=service, acts=acts)

    def _act(self, act: Act, service: str) -> Act:
        if act.slot == SLOT_OF_INTENTS:
            return replace(act, values=tuple(self.intents.get((service, value), value) for value in act.values))
        return replace(act, slot=self.slots.get((service, act.slot), act.slot))


def load_wordings(original: Schema, folder: str | Path, split: str) -> list[Wording]:
    """The five wordings in `folder`/v1 … v5 of one split of SGD."""
    folder = Path(folder)
    paths = [folder / f"v{number}" / split / "schema.json" for number in range(1, 6)]
    return [Wording.of(original, Schema.load(path), number) for number, path in enumerate(paths, start=1)]


def all_services(original: Schema, wordings: Sequence[Wording]) -> Schema:
    """The services of a schema and of its wordings in one."""
    services = dict(original.services)
    for wording in wordings:
        services |= wording.schema.services
    return Schema(services)


def _paired(service: Service, own: Sequence[str], other: Sequence[str]) -> dict[tuple[str, str], str]:
    if len(own) != len(other):
        rule = f"name as much for {service.name} as the original ({len(own)})"
        raise InvalidInput.of("wording", rule, len(other), remedy="Load the variant that belongs to this schema.")
    return {(service.name, name): there for name, there in zip(own, other, strict=True)}
