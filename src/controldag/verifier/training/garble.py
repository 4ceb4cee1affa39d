"""Ways to break a sentence: words dropped, doubled, exchanged, misspelt, clauses glued together."""

from __future__ import annotations

import random
from collections.abc import Callable

from controldag.verifier.training.draft import UNKNOWN, Draft, World

Text = list[str | int]
_NEEDED = frozenset((
    "a", "an", "the", "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did", "will",
    "would", "can", "could", "of", "for", "to", "in", "on", "at", "by", "with", "from", "and", "or", "you", "your",
    "i", "it", "there", "what", "which", "where", "when", "how", "that", "this", "they", "their", "its",
))  # fmt: skip
_AGREEMENT = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "a": "an", "an": "a",
    "do": "does", "does": "do", "i": "me", "it": "they", "them": "they", "what": "where", "where": "what",
    "which": "how", "how": "which", "to": "at", "at": "to", "in": "of", "of": "in", "for": "from", "from": "for",
    "there": "the", "the": "there", "you": "your", "your": "you", "would": "want", "want": "would", "book": "booked",
    "be": "been", "their": "the", "they": "their", "called": "is", "and": "the",
}  # fmt: skip


def garble(draft: Draft, world: World, chance: random.Random) -> bool:
    """One to three faults that a reader stumbles over; what the claims are worth is no longer known."""
    before = list(draft.text)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
        if len(draft.text) < 3:
            break
        way = chance.choices(_WAYS, _WEIGHTS)[0]
        draft.text = way(draft.text, world, chance, draft.service)
    if draft.text == before or len(draft.text) < 2:
        return False
    draft.verdicts = [UNKNOWN] * len(draft.claims)
    draft.extra, draft.broken = UNKNOWN, 1
    return True


def _places(text: Text, able: Callable[[str], bool]) -> list[int]:
    return [i for i, w in enumerate(text) if isinstance(w, str) and able(w)]


def _dropped(text: Text, world: World, chance: random.Random, service: str) -> Text:
    able = _places(text, lambda w: w in _NEEDED)
    if not able:
        return text
    spot = chance.choice(able)
    return text[:spot] + text[spot + chance.choice((1, 1, 2)) :]


def _doubled(text: Text, world: World, chance: random.Random, service: str) -> Text:
    spot = chance.randrange(len(text))
    end = min(len(text), spot + chance.choice((1, 1, 2, 3, 4)))
    return text[:end] + text[spot:]


def _turned(text: Text, world: World, chance: random.Random, service: str) -> Text:
    if len(text) < 4:
        return text
    spot = chance.randrange(len(text) - 2)
    return [*text[:spot], text[spot + 1], text[spot], *text[spot + 2 :]]


def _disagreeing(text: Text, world: World, chance: random.Random, service: str) -> Text:
    able = _places(text, lambda w: w in _AGREEMENT)
    if not able:
        return text
    spot = chance.choice(able)
    return [*text[:spot], _AGREEMENT[str(text[spot])], *text[spot + 1 :]]


def _strange(text: Text, world: World, chance: random.Random, service: str) -> Text:
    able = _places(text, str.isalpha)
    if not able:
        return text
    spot = chance.choice(able)
    return [*text[:spot], chance.choice(world.content), *text[spot + 1 :]]


def _strange_added(text: Text, world: World, chance: random.Random, service: str) -> Text:
    spot = chance.randrange(len(text))
    word = chance.choice(world.content) if chance.random() < 0.5 else chance.choice(sorted(_NEEDED))
    return [*text[:spot], word, *text[spot:]]


def _misspelt(text: Text, world: World, chance: random.Random, service: str) -> Text:
    able = _places(text, lambda w: w.isalpha() and len(w) > 3)
    if not able:
        return text
    spot = chance.choice(able)
    word = str(text[spot])
    cut = chance.randrange(1, len(word))
    made = chance.choice(
        (word[:cut] + word[cut + 1 :], word[:cut] + word[cut - 1 :], word[:cut] + word[:cut], word[cut:] + word[:cut])
    )
    return [*text[:spot], made, *text[spot + 1 :]]


def _cut_off(text: Text, world: World, chance: random.Random, service: str) -> Text:
    if len(text) < 6:
        return text
    end = chance.randrange(len(text) // 2, len(text) - 2)
    return [*text[:end], "."] if chance.random() < 0.7 else text[len(text) - end :]


def _glued(text: Text, world: World, chance: random.Random, service: str) -> Text:
    """The beginning of this text and the end of another of the service."""
    if service not in world.by_service:
        return text
    other = world.another(service, chance)
    theirs: Text = [w for item in other.text for w in ((item,) if isinstance(item, str) else other.values[item])]
    if len(text) < 4 or len(theirs) < 4:
        return text
    mine = text[: chance.randrange(2, len(text) - 1)]
    return [*mine, *theirs[chance.randrange(1, len(theirs) - 1) :]]


def _value_moved(text: Text, world: World, chance: random.Random, service: str) -> Text:
    able = [i for i, w in enumerate(text) if isinstance(w, int)]
    if not able:
        return text
    spot = chance.choice(able)
    value = text[spot]
    rest = text[:spot] + text[spot + 1 :]
    place = chance.randrange(len(rest) + 1)
    return text if abs(place - spot) < 2 else [*rest[:place], value, *rest[place:]]


_WAYS = (_dropped, _doubled, _turned, _disagreeing, _strange, _strange_added, _misspelt, _cut_off, _glued, _value_moved)
_WEIGHTS = (2.5, 2.0, 1.0, 2.5, 1.2, 1.0, 1.0, 1.0, 2.0, 1.5)
