"""Invented services: slots, intents and turns of SGD's training services put together anew, in all their wordings.

A model that has read 26 services learns by heart which phrase goes with which. Here every service is another one, and
its turns are said plainly (controldag.plain), which is right whatever the slots are called.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from controldag.data.phrases import SLOT_OF_INTENTS
from controldag.data.records import Act, Example
from controldag.data.rewording import Wording
from controldag.data.schema import PSEUDO_SLOTS, Intent, Schema, Service, Slot
from controldag.errors import ControlDagError
from controldag.plain import plain_text

OPEN, CHOICE, SWITCH = "open", "choice", "switch"
_SWITCHES = {"True", "False"}
_LEAST, _MOST = 5, 9  # slots of a service
_OWN = 0.4  # share of a service's slots that are its own
_TRIES = 6
_TURNS = 16  # of a service, at most
_FIRST_NUMBER = 10_000  # of no service of a data set


@dataclass(frozen=True, slots=True)
class KnownSlot:
    """A slot, what kind it is, and the values it takes in training."""

    slot: Slot
    kind: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One act of a pattern: its name, the kind of its slot (or the slot itself, where no schema has it), its values."""

    act: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Inventor:
    """What services are put together from."""

    services: Sequence[Service]  # in all wordings, for names, descriptions and intents
    slots: Mapping[str, Sequence[KnownSlot]]  # by service
    others: Sequence[KnownSlot]  # of no service: relations
    patterns: Sequence[tuple[Place, ...]]

    @classmethod
    def of(
        cls, schema: Schema, wordings: Iterable[Wording], turns: Sequence[Example], others: Sequence[KnownSlot]
    ) -> Inventor:
        """From the training services, their wordings and the turns that are said of them."""
        values = _values(turns)
        services: list[Service] = list(schema.services.values())
        slots = {name: _known(each, each, values, name) for name, each in schema.services.items()}
        for wording in wordings:
            for name, there in wording.services.items():
                service = wording.schema.services[there]
                services.append(service)
                slots[there] = _known(schema.services[name], service, values, name)
        kinds = {(name, each.slot.name): each.kind for name in schema.services for each in slots[name]}
        patterns = [pattern for turn in turns if (pattern := _pattern(turn, kinds)) is not None]
        return cls(services, slots, others, patterns)

    def service(self, name: str, chance: random.Random) -> tuple[Service, list[KnownSlot]]:
        """A service of some training service's name and intents, with slots of its own, of others and of relations."""
        base = chance.choice(self.services)
        found: dict[str, KnownSlot] = {}
        for _ in range(chance.randint(_LEAST, _MOST)):
            draw = chance.random()
            if draw < _OWN:
                known = chance.choice(self.slots[base.name])
            elif draw < 0.75 or not self.others:
                known = chance.choice(self.slots[chance.choice(self.services).name])
            else:
                known = chance.choice(self.others)
            if chance.random() < 0.2:
                known = replace(known, slot=replace(known.slot, description=""))
            found.setdefault(known.slot.name, known)
        intents = tuple(intent if chance.random() < 0.8 else Intent(intent.name) for intent in base.intents)
        slots = {each.slot.name: each.slot for each in found.values()}
        description = base.description if chance.random() < 0.7 else ""
        return Service(name, description, slots, intents), list(found.values())

    def turn(self, service: Service, slots: Sequence[KnownSlot], chance: random.Random) -> Example | None:
        """A turn of some training turn's acts about slots of this service; None where no pattern fits."""
        for _ in range(_TRIES):
            free, acts, said = list(slots), list[Act](), set[str]()
            chance.shuffle(free)
            for place in chance.choice(self.patterns):
                act = self._act(place, service, free, said, chance)
                if act is None:
                    break
                acts.append(act)
            else:
                return Example("", acts=tuple(acts), service=service.name)
        return None

    def _act(
        self, place: Place, service: Service, free: list[KnownSlot], said: set[str], chance: random.Random
    ) -> Act | None:
        if place.kind == SLOT_OF_INTENTS:
            names = [intent.name for intent in service.intents]
            return Act(place.act, place.kind, (chance.choice(names),)) if names else None
        if place.kind == "count":
            return Act(place.act, place.kind, (str(chance.randint(1, 15)),))
        if not place.kind:
            return Act(place.act)
        for index, known in enumerate(free):
            values = [value for value in known.values if value not in said]
            if known.kind == place.kind and len(values) >= place.size:
                chosen = tuple(chance.sample(values, place.size))
                if known.kind == OPEN:
                    said.update(chosen)
                del free[index]
                return Act(place.act, known.slot.name, chosen)
        return None


def invented(inventor: Inventor, count: int, chance: random.Random) -> Iterator[tuple[Example, Service]]:
    """So many turns with their plain texts, a few for each invented service."""
    made = 0
    while made < count:
        base = chance.choice(inventor.services).name.rstrip("0123456789_")
        service, slots = inventor.service(f"{base}_{_FIRST_NUMBER + made}", chance)
        for _ in range(min(_TURNS, count - made)):
            turn = inventor.turn(service, slots, chance)
            text = None if turn is None else said_plainly(turn, Schema({service.name: service}))
            if turn is not None and text:
                made += 1
                yield replace(turn, id=f"invented/{made}", references=(text,)), service


def said_plainly(example: Example, schema: Schema | None) -> str | None:
    """The plain text of an input; None where nothing can be said of it."""
    try:
        return plain_text(example, schema)
    except ControlDagError:
        return None


def _values(turns: Iterable[Example]) -> dict[tuple[str, str], tuple[str, ...]]:
    found: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for turn in turns:
        for act in turn.acts:
            found[turn.service, act.slot].update(dict.fromkeys(act.values))
    return {key: tuple(values) for key, values in found.items()}


def _known(
    original: Service, worded: Service, values: Mapping[tuple[str, str], tuple[str, ...]], name: str
) -> list[KnownSlot]:
    """The slots of a service in one wording, with the values that the original's take."""
    found = []
    for own, slot in zip(original.slots.values(), worded.slots.values(), strict=True):
        taken = tuple(value for value in values.get((name, own.name), ()) if value != "dontcare")
        if taken:
            found.append(KnownSlot(slot, kind_of(own, taken), taken))
    return found


def kind_of(slot: Slot, values: Sequence[str]) -> str:
    """Whether a slot's values are free, one of a few, or yes and no."""
    if slot.is_categorical and set(values) <= _SWITCHES:
        return SWITCH
    return CHOICE if slot.is_categorical else OPEN


def _pattern(turn: Example, kinds: Mapping[tuple[str, str], str]) -> tuple[Place, ...] | None:
    places = []
    for act in turn.acts:
        kind = act.slot if act.slot in PSEUDO_SLOTS else kinds.get((turn.service, act.slot))
        if kind is None or "dontcare" in act.values:
            return None
        places.append(Place(act.act, kind, len(act.values)))
    return tuple(places) if places else None
