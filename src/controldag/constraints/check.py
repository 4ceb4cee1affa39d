"""Does a finished text satisfy a constraint? Plain string code that shares no automaton with the engine.

Every result of a search is checked once more here, on its final string. Only the descriptions that constraints carry
are read (patterns share their parser), never their automata. Texts may be given as bytes where they may not be UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from controldag.constraints.algebra import All, Any_, Constraint, Not, Soft
from controldag.constraints.in_words import in_words
from controldag.constraints.lexical import Stages
from controldag.constraints.pattern import Pattern
from controldag.constraints.pattern_check import matches
from controldag.constraints.phrase_check import Place, Text, in_turn, own_places
from controldag.constraints.token_level import TokenPhrase, TokenVocabulary
from controldag.constraints.vocabulary import Vocabulary
from controldag.constraints.vocabulary_check import keeps_to, splits_into
from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Checked:
    """One constraint, whether the text satisfies it, and where (`text[begin:end]`) its phrases stand.

    words: what it asks for, for people who do not read code. granted: of a wish, whether the text grants it, though it
    is satisfied in any case; None: it is a demand.
    """

    label: str
    satisfied: bool
    spans: tuple[Place, ...] = ()
    words: str = ""
    granted: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "label": self.label,
            "words": self.words,
            "satisfied": self.satisfied,
            "granted": self.granted,
            "spans": [list(span) for span in self.spans],
        }


def checked(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> tuple[Checked, ...]:
    """Every member of the top-level conjunction with its verdict and its spans, in text order.

    The spans of own-occurrence members are disjoint; a preference counts as satisfied.
    """
    found = []
    for member, places in _judged(constraint, Text(text), tuple(tokens)):
        granted = places is not None if isinstance(member, Soft) else None
        good = not _violated(member, places)
        found.append(Checked(member.label, good, tuple(sorted(places or ())), in_words(member), granted))
    return tuple(found)


def violations(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> tuple[str, ...]:
    """The labels of the members of the top-level conjunction that the text violates; preferences do not count."""
    judged = _judged(constraint, Text(text), tuple(tokens))
    return tuple(member.label for member, places in judged if _violated(member, places))


def satisfies(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> bool:
    """Whether the text violates nothing."""
    return not violations(constraint, text, tokens)


def penalty(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> float:
    """The sum of the penalties of the preferences that the text violates."""
    judged = _judged(constraint, Text(text), tuple(tokens))
    return sum(member.penalty for member, places in judged if isinstance(member, Soft) and places is None)


def _members(constraint: Constraint | None) -> Iterator[Constraint]:
    """The members of a conjunction, flattened."""
    if isinstance(constraint, All):
        for member in constraint.members:
            yield from _members(member)
    elif constraint is not None:
        yield constraint


def _judged(
    constraint: Constraint | None, text: Text, tokens: tuple[int, ...]
) -> Iterator[tuple[Constraint, list[Place] | None]]:
    """Each member of the conjunction, and where its phrases stand; None where the text does not do what it asks."""
    members = list(_members(constraint))
    own = [member for member in members if isinstance(member, Stages) and member.own]
    rooms = iter(own_places(own, text)) if len(own) > 1 else None
    for member in members:
        if rooms is not None and isinstance(member, Stages) and member.own:
            yield member, next(rooms)
        elif isinstance(member, Soft):
            yield member, _places(member.member, text, tokens)
        else:
            yield member, _places(member, text, tokens)


def _violated(member: Constraint, places: list[Place] | None) -> bool:
    return places is None and not isinstance(member, Soft)


def _places(constraint: Constraint, text: Text, tokens: tuple[int, ...]) -> list[Place] | None:
    """Where the phrases of the constraint stand, if it has any; None where the text violates it."""
    match constraint:
        case Stages():
            found = in_turn(constraint, text)
            return None if found is None else [place for _, place in found]
        case Vocabulary():
            good = keeps_to(constraint, text.written)
        case Pattern():
            good = matches(constraint.regex, text.written, full=constraint.full, ignore_case=constraint.ignore_case)
        case Not():
            good = _places(constraint.member, text, tokens) is None
        case Any_():
            held = [places for each in constraint.members if (places := _places(each, text, tokens)) is not None]
            return [place for places in held for place in places] if held else None
        case All():
            judged = list(_judged(constraint, text, tokens))
            broken = any(_violated(member, places) for member, places in judged)
            return None if broken else [place for _, places in judged for place in places or ()]
        case TokenPhrase():
            wanted = constraint.tokens
            good = any(tokens[i : i + len(wanted)] == wanted for i in range(len(tokens) - len(wanted) + 1))
        case TokenVocabulary():
            good = splits_into(constraint, tokens)
        case _:
            raise InvalidInput.of("constraint", "be of a known kind", type(constraint).__name__)
    return [] if good else None
