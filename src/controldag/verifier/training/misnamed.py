"""Claims that name another slot, relation or intent than the text speaks of: like ones half of the time."""

from __future__ import annotations

import random

from controldag.verifier.claims import FACT
from controldag.verifier.training.draft import SAID, WRONG, Draft, World
from controldag.verifier.training.records import Said
from controldag.verifier.words import is_content, stem

_TRIES = 4


def another_slot(draft: Draft, world: World, chance: random.Random) -> bool:
    """A claim names another slot or relation than the text speaks of."""
    named = [p for p, c in enumerate(draft.claims) if c.key and draft.verdicts[p] == SAID]
    able = [p for p in named if not _intent(draft, world, p)]
    if not able:
        return False
    place = chance.choice(able)
    old = draft.claims[place]
    service = draft.service if chance.random() < 0.7 else chance.choice(world.services)
    key = _another_key(old, service, {claim.key for claim in draft.claims}, world, chance)
    if key is None or (service != draft.service and _related(world, old.key, key)):
        return False
    draft.claims[place] = Said(old.head, key, old.values, old.subject, old.worded)
    draft.verdicts[place] = WRONG
    return True


def _another_key(old: Said, service: str, taken: set[str], world: World, chance: random.Random) -> str | None:
    """A slot of the service that no claim names: `origin_city` for `destination_city`, or any."""
    keys = world.wordings.slots.get(service, ())
    if chance.random() < (0.25 if old.head == FACT else 0.5):
        keys = world.like(service, old.key) or keys
    drawn = (chance.choice(keys) for _ in range(_TRIES if keys else 0))  # of relations there are thousands
    return next((key for key in drawn if key not in taken), None)


def _intent(draft: Draft, world: World, place: int) -> bool:
    return draft.claims[place].key in world.wordings.intents.get(draft.service, ())


def _related(world: World, one: str, two: str) -> bool:
    """Whether any wordings of two slots share a content word."""
    stems = [
        {stem(w) for name, text in world.wordings.ways.get(key, ()) for w in (*name, *text) if is_content(w)}
        for key in (one, two)
    ]
    return bool(stems[0] & stems[1])


def another_intent(draft: Draft, world: World, chance: random.Random) -> bool:
    """An offered intent is another one."""
    able = [p for p in range(len(draft.claims)) if _intent(draft, world, p)]
    others = list(world.wordings.intents)
    services = [draft.service, *chance.sample(others, min(2, len(others)))]
    keys = [k for s in services for k in world.wordings.intents.get(s, ()) if all(k != c.key for c in draft.claims)]
    if not able or not keys:
        return False
    place = chance.choice(able)
    old = draft.claims[place].key
    key = chance.choice(keys)
    if not key.startswith(draft.service) and _related(world, old, key):
        return False
    draft.claims[place] = Said(draft.claims[place].head, key)
    draft.verdicts[place] = WRONG
    return True
