"""Texts made from wordings alone: the slot in the words of another wording than the claim's, or in the same."""

from __future__ import annotations

import random

from controldag.verifier.claims import FACT
from controldag.verifier.training.draft import UNKNOWN, Draft, World
from controldag.verifier.training.records import Said

_FIXED = {
    "NOTIFY_SUCCESS": ("done .", "it is done .", "your request was successful .", "that worked ."),
    "NOTIFY_FAILURE": (
        "sorry , that did not work .",
        "i'm sorry , i could not do that .",
        "unfortunately that failed .",
    ),
    "REQ_MORE": ("is there anything else i can help you with ?", "anything else ?", "can i do anything else for you ?"),
    "GOODBYE": ("goodbye !", "have a nice day .", "thank you , and goodbye !"),
}
_STATED = ("the {n} is {v} .", "{n} : {v} .", "its {n} is {v} .", "{v} is the {n} .", "the {n} will be {v} .")
_CONFIRMED = ("please confirm : the {n} is {v} .", "so the {n} is {v} , right ?", "you want {v} as the {n} , correct ?")
_ASKED = ("what is the {n} ?", "which {n} ?", "what {n} would you like ?", "please tell me the {n} .", "what {n} ?")
_OFFERED = ("would you like to {n} ?", "do you want to {n} ?", "shall i {n} ?")
_FACTS = ("{s} 's {n} is {v} .", "the {n} of {s} is {v} .", "{s} has the {n} {v} .", "{v} is the {n} of {s} .")


def in_own_words(draft: Draft, world: World, chance: random.Random) -> bool:
    """The text said anew, clause by clause, from names and descriptions; False where an act has no such clause."""
    if not draft.claims or any(claim.worded for claim in draft.claims):
        return False
    text: list[str | int] = []
    order = list(range(len(draft.claims)))
    for place in order:
        clause = _clause(draft.claims[place], draft, world, chance)
        if clause is None:
            return False
        text += clause
    draft.text = text
    draft.extra, draft.broken = 0, UNKNOWN  # names and descriptions do not always fit
    return True


def _clause(claim: Said, draft: Draft, world: World, chance: random.Random) -> list[str | int] | None:
    if claim.head in _FIXED and not claim.key:
        return [*chance.choice(_FIXED[claim.head]).split()]
    ways = world.wordings.ways.get(claim.key)
    if not ways:
        return None
    name, description = chance.choice(ways)
    called = description if description and len(description) <= 9 and chance.random() < 0.35 else name
    if called[:1] == ("the",):
        called = called[1:]
    if claim.key in world.wordings.intents.get(draft.service, ()):
        return _filled(chance.choice(_OFFERED), called, [], claim)
    if claim.head.endswith("REQUEST"):
        return None if claim.values else _filled(chance.choice(_ASKED), called, [], claim)
    if not claim.values:
        return None
    if claim.head == "INFORM_COUNT":
        noun = chance.choice(("options", "results", "matches"))
        return ["i", "found", claim.values[0], noun, "."]
    ways_to_say = _FACTS if claim.head == FACT else _CONFIRMED if claim.head == "CONFIRM" else _STATED
    values: list[str | int] = []
    for value in claim.values:
        values += [value] if not values else ["and", value]
    return _filled(chance.choice(ways_to_say), called, values, claim)


def _filled(pattern: str, name: tuple[str, ...], values: list[str | int], claim: Said) -> list[str | int] | None:
    parts: list[str | int] = []
    for word in pattern.split():
        if word == "{n}":
            parts += name
        elif word == "{v}":
            parts += values
        elif word == "{s}":
            if claim.subject < 0:
                return None
            parts.append(claim.subject)
        else:
            parts.append(word)
    return parts
