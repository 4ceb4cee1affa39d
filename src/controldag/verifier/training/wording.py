"""The words of claims, drawn anew for every example: other wordings, names cut short, words exchanged on both sides."""

from __future__ import annotations

import random
from dataclasses import dataclass

from controldag.verifier.claims import DESCRIPTION, NAME, SERVICE, SUBJECT, VALUE
from controldag.verifier.heads import head_number
from controldag.verifier.layout import ClaimLayout, TextLayout
from controldag.verifier.training.draft import UNKNOWN, Draft, World
from controldag.verifier.words import is_content, stem

_VOWELS = frozenset("aeiou")
Naming = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingOptions:
    """How often a word that both sides share is exchanged, a service hidden, a description or name left out."""

    exchanged: float = 0.4
    hidden: float = 0.3
    undescribed: float = 0.2
    unnamed: float = 0.08
    cut_short: float = 0.12


def worded(
    draft: Draft, world: World, chance: random.Random, options: WordingOptions
) -> tuple[ClaimLayout, TextLayout]:
    """The example in words drawn for it."""
    names = [naming(draft, place, world, chance, options) for place in range(len(draft.claims))]
    described = world.wordings.services.get(draft.service, ())
    service = chance.choice(described) if described and chance.random() >= options.hidden else ()
    text: list[str | int] = draft.text
    if chance.random() < options.exchanged:
        names, service, text = _exchanged(names, service, text, world, chance)
        if draft.broken == 0 and text != draft.text:
            draft.broken = UNKNOWN  # random words seldom make sense
    return laid_out(draft, names, service, text)


def laid_out(
    draft: Draft, names: list[Naming], service: tuple[str, ...], text: list[str | int]
) -> tuple[ClaimLayout, TextLayout]:
    """Claims and text in the order in which the verifier reads them."""
    made = ClaimLayout()
    made.add(service, SERVICE, -1)
    for number, (claim, (name, description)) in enumerate(zip(draft.claims, names, strict=True)):
        made.begin(head_number(claim.head), number)
        made.add(name, NAME, number)
        made.add(description, DESCRIPTION, number)
        if claim.subject >= 0:
            made.add(draft.values[claim.subject], SUBJECT, number, 1 + claim.subject)
        for value in claim.values:
            made.add(draft.values[value], VALUE, number, 1 + value)
        made.add(claim.worded, VALUE, number)
    held, said = {value for value in made.values if value}, TextLayout()
    for item in text:
        words = (item,) if isinstance(item, str) else draft.values[item]
        value = 0 if isinstance(item, str) or 1 + item not in held else 1 + item
        said.words += words
        said.values += [value] * len(words)
    return made, said


def naming(draft: Draft, place: int, world: World, chance: random.Random, options: WordingOptions) -> Naming:
    """A name and a description of a claim's slot, intent or relation."""
    ways = world.wordings.ways.get(draft.claims[place].key)
    if not ways:
        return (), ()
    name, description = chance.choice(ways)
    if not description:
        return name, ()
    draw = chance.random()
    if draw < options.undescribed:
        return name, ()
    if draw < options.undescribed + options.unnamed:
        return (), description
    if draw < options.undescribed + options.unnamed + options.cut_short:
        return tuple(cut_short(word, chance) for word in name[:3]), description
    return name, description


def cut_short(word: str, chance: random.Random) -> str:
    """A word as terse names have it: `est`, `addr`, `dt`, `t`."""
    draw = chance.random()
    if len(word) < 4 or draw < 0.2:
        return word
    if draw < 0.65:
        return word[: chance.choice((1, 2, 3, 3, 4))]
    return word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)[:3]


def _exchanged(
    names: list[Naming], service: tuple[str, ...], text: list[str | int], world: World, chance: random.Random
) -> tuple[list[Naming], tuple[str, ...], list[str | int]]:
    """Content words that claims and text share, become random others on both sides: their inflections too."""
    known = {w for name, description in names for w in (*name, *description)} | set(service)
    stems = {stem(w) for w in known if is_content(w) and w.isalpha()}
    shared = {stem(w) for w in text if isinstance(w, str) and stem(w) in stems}
    if not shared:
        return names, service, text
    new = {each: chance.choice(world.content) for each in shared if chance.random() < 0.8}

    def turned(word: str) -> str:
        base = new.get(stem(word))
        if base is None or not word.isalpha():
            return word
        return base + "s" if word.endswith("s") and not base.endswith("s") else base

    def all_turned(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(turned, words))

    changed = [turned(w) if isinstance(w, str) else w for w in text]
    return [(all_turned(n), all_turned(d)) for n, d in names], all_turned(service), changed
