"""Ways to break a sentence as models do: steps that are likely one by one, words dropped, doubled, bent, values astray.

A way takes words with marks and returns them changed; the mark of a word says whether a reader stumbles over it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from controldag.verifier.training.draft import UNKNOWN, Draft, World
from controldag.verifier.training.usage import VALUE, Item

Marked = list[tuple[Item, bool]]
_NEEDED = frozenset((
    "a", "an", "the", "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did", "will",
    "would", "can", "could", "of", "for", "to", "in", "on", "at", "by", "with", "from", "and", "or", "you", "your",
    "i", "it", "there", "what", "which", "where", "when", "how", "that", "this", "they", "their", "its",
))  # fmt: skip
_BENT = {
    "is": ("are",), "are": ("is", "do"), "was": ("were",), "were": ("was",), "has": ("have", "is"),
    "have": ("has", "are"), "a": ("an",), "an": ("a",), "do": ("does", "are"), "does": ("do", "is"), "did": ("was",),
    "i": ("me",), "it": ("they",), "them": ("they",), "what": ("where", "how", "when"), "where": ("what", "when"),
    "when": ("where", "what"), "which": ("how",), "how": ("which", "what"), "to": ("at",), "at": ("to", "on"),
    "on": ("at", "in"), "in": ("of", "on"), "of": ("in",), "for": ("from",), "from": ("for",), "there": ("the",),
    "the": ("there",), "you": ("your",), "your": ("you",), "would": ("want", "are", "do"), "want": ("would",),
    "book": ("booked",), "be": ("been",), "been": ("be", "being"), "their": ("the",), "they": ("their",),
    "called": ("is",), "and": ("the",), "it's": ("its",), "like": ("want",), "many": ("much",), "much": ("many",),
}  # fmt: skip
_VERBS = frozenset(("is", "are", "was", "were", "has", "have", "will"))
_TRIES = 4


def garble(draft: Draft, world: World, chance: random.Random) -> bool:
    """One to three faults that a reader stumbles over; what the claims are worth is no longer known."""
    for _ in range(_TRIES):
        marked: Marked = [(item, False) for item in draft.text]
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
            if len(marked) >= 3:
                marked = chance.choices(_WAYS, _WEIGHTS)[0](marked, draft, world, chance)
        text = [item for item, _ in marked]
        # What was heard before may be sound English all the same.
        if len(text) >= 2 and text != draft.text and world.usage.is_unheard(text):
            draft.text, draft.odd = text, [odd for _, odd in marked]
            draft.verdicts = [UNKNOWN] * len(draft.claims)
            draft.extra, draft.broken = UNKNOWN, 1
            return True
    return False


def _marked_at(marked: Marked, spot: int) -> Marked:
    """The word at this place is one to stumble over."""
    return [*marked[:spot], (marked[spot][0], True), *marked[spot + 1 :]] if spot < len(marked) else marked


def _places(marked: Marked, able: Callable[[str], bool]) -> list[int]:
    return [i for i, (w, _) in enumerate(marked) if isinstance(w, str) and able(w)]


def _instead(marked: Marked, spot: int, word: str) -> Marked:
    return [*marked[:spot], (word, True), *marked[spot + 1 :]]


def _astray(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """A few likely steps from some place on, then back to the text: each two words fit, the sentence does not."""
    spot = chance.randrange(len(marked))
    last: Item | None = marked[spot - 1][0] if spot else None
    steps: Marked = []
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4, 6))):
        word = world.usage.after(last, chance)
        if word is None or (word == VALUE and not draft.values):
            break
        last = chance.randrange(len(draft.values)) if word == VALUE else word
        steps.append((last, True))
    skipped = chance.choice((0, 1, len(steps), len(steps), len(steps) + 1))
    return [*marked[:spot], *steps, *_marked_at(marked[spot + skipped :], 0)]


def _dropped(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    able = _places(marked, _NEEDED.__contains__)
    if not able:
        return marked
    spot = chance.choice(able)
    return _marked_at(marked[:spot] + marked[spot + chance.choice((1, 1, 2)) :], spot)


def _doubled(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    spot = chance.randrange(len(marked))
    end = min(len(marked), spot + chance.choice((1, 1, 2, 3, 4)))
    again: Marked = [(item, True) for item, _ in marked[spot:end]]
    return [*marked[:end], *again, *marked[end:]]


def _turned(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    spot = chance.randrange(len(marked) - 1)
    (first, _), (second, _) = marked[spot : spot + 2]
    return [*marked[:spot], (second, True), (first, True), *marked[spot + 2 :]]


def _bent(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    able = _places(marked, _BENT.__contains__)
    if not able:
        return marked
    spot = chance.choice(able)
    return _instead(marked, spot, chance.choice(_BENT[str(marked[spot][0])]))


def _run_on(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """A verb and what follows it once more, right after a value: `the balance is $5 in your account is $5`."""
    verbs = _places(marked, _VERBS.__contains__)
    ends = [i + 1 for i, (item, _) in enumerate(marked) if isinstance(item, int)]
    if not verbs or not ends:
        return marked
    verb, end = chance.choice(verbs), chance.choice(ends)
    again: Marked = [(item, True) for item, _ in marked[verb : verb + chance.choice((2, 2, 3))]]
    return [*marked[:end], *again, *marked[end:]]


def _inflected(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """`like to checking`, `the actor are`, `you wants`: another ending."""
    able = _places(marked, lambda w: w.isalpha() and len(w) > 3 and w not in _NEEDED)
    if not able:
        return marked
    spot = chance.choice(able)
    word = str(marked[spot][0])
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return _instead(marked, spot, word.removesuffix(ending))
    return _instead(marked, spot, word.removesuffix("e") + chance.choice(("s", "ing", "ed")))


def _strange(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    able = _places(marked, str.isalpha)
    return _instead(marked, chance.choice(able), chance.choice(world.content)) if able else marked


def _added(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    spot = chance.randrange(len(marked))
    word = chance.choice(world.content) if chance.random() < 0.5 else chance.choice(sorted(_NEEDED))
    return [*marked[:spot], (word, True), *marked[spot:]]


def _misspelt(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """Letters lost, or said again as pieces of words are: `iss`, `ararmal`."""
    able = _places(marked, lambda w: w.isalpha() and len(w) > 1)
    if not able:
        return marked
    spot = chance.choice(able)
    word = str(marked[spot][0])
    cut = chance.randrange(1, len(word))
    end = min(len(word), cut + chance.choice((1, 2, 3)))
    again = word[:end] + word[cut:end] * chance.choice((1, 1, 2)) + word[end:]
    return _instead(marked, spot, chance.choice((word[:cut] + word[cut + 1 :], again, again, word[cut:] + word[:cut])))


def _cut_off(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    if len(marked) < 6:
        return marked
    end = chance.randrange(len(marked) // 2, len(marked) - 2)
    return [*marked[:end], (".", True)] if chance.random() < 0.7 else _marked_at(marked[len(marked) - end :], 0)


def _glued(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """The beginning of this text and the end of another of the service."""
    if draft.service not in world.by_service:
        return marked
    other = world.another(draft.service, chance)
    theirs: Marked = [
        (word, False) for item in other.text for word in ((item,) if isinstance(item, str) else other.values[item])
    ]
    if len(marked) < 4 or len(theirs) < 4:
        return marked
    mine = marked[: chance.randrange(2, len(marked) - 1)]
    return [*mine, *_marked_at(theirs[chance.randrange(1, len(theirs) - 1) :], 0)]


def _spliced(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """From one way to say it into another, where a word fits the one before: what a path between two texts does."""
    other = world.same_said(draft, chance)
    if other is None or len(other) < 3:
        return marked
    theirs: Marked = [(item, False) for item in other]
    for _ in range(chance.choice((1, 1, 2))):
        begin = chance.randrange(1, len(marked))
        able = [end for end in range(1, len(theirs)) if world.usage.follows(theirs[end][0], marked[begin - 1][0])]
        if not able:
            break
        marked, theirs = [*marked[:begin], *_marked_at(theirs[chance.choice(able) :], 0)], marked
    return marked


def _value_moved(marked: Marked, draft: Draft, world: World, chance: random.Random) -> Marked:
    """A value at another place, or once more."""
    able = [i for i, (w, _) in enumerate(marked) if isinstance(w, int)]
    if not able:
        return marked
    spot = chance.choice(able)
    rest = marked if chance.random() < 0.4 else marked[:spot] + marked[spot + 1 :]
    place = chance.randrange(len(rest) + 1)
    return marked if abs(place - spot) < 2 else [*rest[:place], (marked[spot][0], True), *rest[place:]]


_WAYS = (
    _astray, _dropped, _doubled, _turned, _bent, _inflected, _strange, _added, _misspelt, _cut_off, _glued,
    _value_moved, _spliced, _run_on,
)  # fmt: skip
_WEIGHTS = (6.0, 2.5, 2.0, 1.0, 3.5, 2.0, 0.8, 1.0, 1.2, 1.0, 1.5, 1.5, 8.0, 1.2)
