"""A dozen turns that a service's system may say, made from its schema alone: to hear it before anything is built."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count, cycle, islice

from controldag.data.records import Act, Example
from controldag.data.schema import Service, Slot
from controldag.generation.sample_values import is_yes_or_no, sample_value

TURNS = 12
# So many values of a slot are tried for one that no other slot of the turn has.
_TRIES = 4


def sample_turns(service: Service, most: int = TURNS) -> list[Example]:
    """So many turns of different kinds, or fewer where there is little to say, which go through slots and intents."""
    made = dict.fromkeys(tuple(acts) for acts in islice(_turns(service), 4 * most) if acts)
    return [
        Example(f"{service.name}-{number}", acts=acts, service=service.name)
        for number, acts in enumerate(islice(made, most), start=1)
    ]


def _turns(service: Service) -> Iterator[list[Act]]:
    """Kinds of turns in turn, without end where there are slots, each about the next ones."""
    slots = list(service.slots.values())
    spoken = [slot for slot in slots if not is_yes_or_no(slot)] or slots
    waiting, intents = cycle(spoken), cycle(service.intents)
    switches = cycle([slot for slot in slots if is_yes_or_no(slot)] or spoken)
    if not slots:
        yield from ([Act(name)] for name in ("NOTIFY_SUCCESS", "NOTIFY_FAILURE", "REQ_MORE", "GOODBYE"))
        return
    used: defaultdict[str, Iterator[int]] = defaultdict(count)  # of each slot, another value each time

    def told(name: str, chosen: Iterable[Slot]) -> list[Act]:
        acts: list[Act] = []
        for slot in chosen:
            taken = {value for act in acts for value in act.values}  # nobody sails from Oban to Oban
            values = (sample_value(slot, next(used[slot.name])) for _ in range(_TRIES))
            value = next((each for each in values if each not in taken), sample_value(slot))
            acts.append(Act(name, slot.name, (value,)))
        return acts

    def asked(chosen: Iterable[Slot]) -> list[Act]:
        return [Act("REQUEST", slot.name) for slot in chosen]

    def some(size: int) -> Iterator[Slot]:
        return islice(waiting, min(size, len(spoken)))

    while True:
        yield told("OFFER", some(2))
        yield told("INFORM", some(1))
        yield asked(some(1))
        yield told("CONFIRM", some(3))
        yield [Act("NOTIFY_SUCCESS")]
        yield told("INFORM", [next(switches)])
        yield [Act("OFFER_INTENT", "intent", (intent.name,)) for intent in islice(intents, 1)]
        yield asked(some(2))
        yield [Act("INFORM_COUNT", "count", ("3",)), *told("OFFER", some(1))]
        yield told("INFORM", some(2))
        yield [Act("NOTIFY_FAILURE")]
        yield told("CONFIRM", some(1))
        yield [Act("REQ_MORE")]
