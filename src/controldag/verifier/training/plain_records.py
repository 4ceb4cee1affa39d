"""Plain sentences as records: turns of SGD in the words of each of its schemas, and triples. Right by construction."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.plain import plain_text
from controldag.verifier.training.reading import record_of_acts, record_of_triples
from controldag.verifier.training.records import Record, Wordings
from controldag.verifier.words import name_words, norms_of

ACTS = "plain_acts"


class WordedSchema:
    """A schema of SGD and one of its rewordings, which has the same services, slots and intents in the same order."""

    def __init__(self, name: str, original: Path, other: Path) -> None:
        self.name = name
        self.schema = Schema.load(other)
        self._services: dict[str, str] = {}
        self._names: dict[tuple[str, str], str] = {}
        for mine, theirs in zip(_read(original), _read(other), strict=True):
            service = mine["service_name"]
            self._services[service] = theirs["service_name"]
            for kind in ("slots", "intents"):
                pairs = zip(mine[kind], theirs[kind], strict=True)
                self._names |= {(service, a["name"]): b["name"] for a, b in pairs}

    def service(self, service: str) -> str:
        """The service's name in these words."""
        return self._services[service]

    def acts(self, service: str, acts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The acts in these words."""

        def named(name: str) -> str:
            return self._names.get((service, name), name)

        return [
            {**act, "values": [named(v) for v in act["values"]]}
            if act["slot"] == "intent"
            else {**act, "slot": named(act["slot"])}
            for act in acts
        ]

    def add_wordings(self, wordings: Wordings) -> None:
        """Registers the services as services of their own: what is claimed has then the words that the text has."""
        for service in self.schema.services.values():
            own = self.own(service.name)
            wordings.services[own] = [tuple(norms_of(service.description)[:16])]
            for slot in service.slots.values():
                key = f"{own}/{slot.name}"
                wordings.add(own, key, name_words(slot.name), norms_of(slot.description), intent=False)
            for intent in service.intents:
                described = norms_of(intent.description)
                wordings.add(own, f"{own}/{intent.name}", name_words(intent.name), described, intent=True)
            wordings.add(own, f"{own}/count", ["count"], [], intent=False)

    def own(self, service: str) -> str:
        """What the service is called among wordings."""
        return f"{self.name}:{service}"


def _read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return found


def plain_turns(
    rows: list[dict[str, Any]], schemas: list[WordedSchema], wordings: Wordings, chance: random.Random
) -> Iterator[Record]:
    """Each turn said plainly in the words of one schema; half of them claimed in any words, half in the same."""
    for schema in schemas:
        schema.add_wordings(wordings)
    for row in rows:
        schema = chance.choice(schemas)
        service, acts = schema.service(row["service"]), schema.acts(row["service"], row["dialog_acts"])
        said = tuple(Act(each["act"], each["slot"], tuple(each["values"])) for each in acts)
        text = _said(Example("plain", acts=said, service=service), schema.schema)
        if text and chance.random() < 0.5:
            yield record_of_acts(ACTS, row["service"], row["dialog_acts"], text)
        elif text:
            yield record_of_acts(ACTS, schema.own(service), acts, text)


def plain_facts(source: str, tripleset: list[list[str]], wordings: Wordings) -> Iterator[Record]:
    """A set of triples said plainly; none where they cannot be."""
    text = _said(Example("plain", triples=tuple(Triple(*each) for each in tripleset)), None)
    if text:
        yield record_of_triples(source, tripleset, text, wordings)


def _said(example: Example, schema: Schema | None) -> str:
    try:
        return plain_text(example, schema)
    except InvalidInput:
        return ""
