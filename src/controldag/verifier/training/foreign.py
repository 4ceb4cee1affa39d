"""Texts of other services with this one's values in them: what a model says that knows other services only.

Most of what makes such a text wrong is a word that nobody uses of this service: *a table* for an appointment.
"""

from __future__ import annotations

import random

from controldag.verifier.training.draft import UNKNOWN, WRONG, Draft, World, kind, shape_of
from controldag.verifier.training.records import Record
from controldag.verifier.words import is_content, stem

_TRIES = 12


def foreign_text(draft: Draft, world: World, chance: random.Random) -> bool:
    """The text of a like turn of another service, with these values, where a word of it is foreign here."""
    own = world.spoken.get(draft.service)
    shape = shape_of(draft.claims)
    candidates = world.shapes.get(shape, ()) if shape is not None else ()
    if own is None or not candidates:
        return False
    for _ in range(_TRIES):
        other = world.records[chance.choice(candidates)]
        if other.service == draft.service or other.claims[0].key in {claim.key for claim in draft.claims}:
            continue
        words = {w for w in other.text if isinstance(w, str) and w.isalpha() and is_content(w)}
        if not any(stem(word) not in own for word in words):
            continue
        planted = _planted(draft, other)
        if planted is None:
            continue
        draft.text = planted
        draft.verdicts = [WRONG] if len(draft.claims) == 1 else [UNKNOWN] * len(draft.claims)
        draft.extra = UNKNOWN if len(draft.claims) == 1 else 1
        if draft.values:
            draft.broken = UNKNOWN  # a time where a name should stand may make a reader stumble
        return True
    return False


def _planted(draft: Draft, other: Record) -> list[str | int] | None:
    """Their text with our values in place of theirs, act by act; None where a value would be left over."""
    ours = sorted(draft.claims, key=lambda claim: (kind(claim.head), len(claim.values)))
    theirs = sorted(other.claims, key=lambda claim: (kind(claim.head), len(claim.values)))
    turned = {
        their: our
        for claim, like in zip(theirs, ours, strict=True)
        for their, our in zip(claim.values, like.values, strict=True)
    }
    numbers = [item for item in other.text if isinstance(item, int)]
    if set(numbers) != set(turned):
        return None
    return [turned[item] if isinstance(item, int) else item for item in other.text]
