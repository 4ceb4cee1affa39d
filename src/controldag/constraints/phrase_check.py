"""Where phrases stand in a text: plain string code for `constraints.check`, sharing nothing with the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from controldag.constraints.lexical import Phrase, Stages

Place = tuple[int, int]
"""Begin and end of an occurrence, in characters."""


class _Lower(dict[int, int]):
    """Code point to its lower case, as str.lower gives it alone; letters whose lower case is longer stay."""

    def __missing__(self, code: int) -> int:
        lowered = chr(code).lower()
        self[code] = ord(lowered) if len(lowered) == 1 else code
        return self[code]


_LOWER = _Lower()


def lowered(text: str) -> str:
    """The text in lower case, letter by letter (str.lower as a whole looks at neighbours, e.g. for a final sigma)."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def is_word_character(character: str) -> bool:
    """ASCII letter, digit, underscore, or anything beyond ASCII."""
    return character >= "\x80" or character.isalnum() or character == "_"


class Text:
    """A text as written and, made when first asked for, in lower case: both have one character for each other."""

    __slots__ = ("_folded", "written")

    def __init__(self, text: str | bytes) -> None:
        # Bytes that are no UTF-8 become lone surrogates, which no phrase holds and which count as word characters.
        self.written = text if isinstance(text, str) else text.decode(errors="surrogateescape")
        self._folded: str | None = None

    @property
    def folded(self) -> str:
        if self._folded is None:
            self._folded = lowered(self.written)
        return self._folded


@lru_cache(maxsize=4096)
def _lowered_phrase(text: str) -> str:
    return lowered(text)


def find(phrase: Phrase, text: Text, start: int) -> Place | None:
    """The first occurrence that begins at `start` or later."""
    haystack, needle = (
        (text.folded, _lowered_phrase(phrase.text)) if phrase.ignore_case else (text.written, phrase.text)
    )
    size = len(needle)
    at = haystack.find(needle, start)
    if not phrase.whole_word:
        return None if at < 0 else (at, at + size)
    guard_front, guard_back = is_word_character(needle[0]), is_word_character(needle[-1])
    while at >= 0:
        end = at + size
        touched_before = guard_front and at > 0 and is_word_character(haystack[at - 1])
        touched_after = guard_back and end < len(haystack) and is_word_character(haystack[end])
        if not touched_before and not touched_after:
            return at, end
        at = haystack.find(needle, at + 1)
    return None


def in_turn(leaf: Stages, text: Text) -> list[tuple[Phrase, Place]] | None:
    """One phrase of each stage, each begun after the last ended; None if they are not there.

    Taking the occurrence that ends first never hurts the stages to come.
    """
    found: list[tuple[Phrase, Place]] = []
    at = 0
    for stage in leaf.stages:
        places = [(phrase, place) for phrase in stage if (place := find(phrase, text, at)) is not None]
        if not places:
            return None
        found.append(min(places, key=lambda item: item[1][1]))
        at = found[-1][1][1]
    return found


def disjoint(phrases: Sequence[Phrase], text: Text) -> list[Place] | None:
    """A place for each phrase such that no two overlap; None if there is no such choice.

    For the phrases placed so far only the end of the last one matters, and the sooner the better: depth-first over
    which phrase comes next, remembering which sets were tried from which end.
    """
    kinds = list(dict.fromkeys(phrases))
    needed = [phrases.count(kind) for kind in kinds]
    tried: dict[tuple[int, ...], int] = {}
    order: list[tuple[int, Place]] = []

    def place(left: tuple[int, ...], start: int) -> bool:
        if not any(left):
            return True
        if tried.get(left, start + 1) <= start:
            return False
        tried[left] = start
        options = [
            (spot, k) for k, kind in enumerate(kinds) if left[k] and (spot := find(kind, text, start)) is not None
        ]
        for spot, k in sorted(options, key=lambda option: (option[0][1], option[1])):
            order.append((k, spot))
            if place((*left[:k], left[k] - 1, *left[k + 1 :]), spot[1]):
                return True
            order.pop()
        return False

    if not place(tuple(needed), 0):
        return None
    waiting: list[list[Place]] = [[] for _ in kinds]
    for k, spot in order:
        waiting[k].append(spot)
    return [waiting[kinds.index(phrase)].pop(0) for phrase in phrases]


def _apart(places: list[Place]) -> bool:
    """Whether no two places overlap."""
    places = sorted(places)
    return all(one[1] <= other[0] for one, other in pairwise(places))


def own_places(leaves: Sequence[Stages], text: Text) -> list[list[Place] | None]:
    """For each own-occurrence leaf the places of its phrases, disjoint from all others'; None where there is no room.

    Leaves are taken in order: one is left out when it cannot stand beside those before it.
    """
    first = [[place for _, place in in_turn(leaf, text) or ()] for leaf in leaves]
    if all(first) and _apart([place for places in first for place in places]):
        return list(first)
    wanted = [[stage[0] for stage in leaf.stages] for leaf in leaves]
    together = disjoint([phrase for phrases in wanted for phrase in phrases], text)
    taken = list(range(len(leaves)))
    if together is None:
        taken, together = [], []
        for index in range(len(leaves)):
            attempt = disjoint([phrase for i in [*taken, index] for phrase in wanted[i]], text)
            if attempt is not None:
                taken.append(index)
                together = attempt
    places: list[list[Place] | None] = [None] * len(leaves)
    for index in taken:
        count = len(wanted[index])
        places[index], together = together[:count], together[count:]
    return places
