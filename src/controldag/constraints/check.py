"""Does a finished text satisfy a constraint? Plain string code that shares no automaton with the engine.

Every result of a search is checked once more here, on its final string. Only the descriptions that constraints carry
are read (patterns share their parser), never their automata. Texts may be given as bytes where they may not be UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controldag.constraints.algebra import All, Any_, Constraint, Not, Soft
from controldag.constraints.lexical import Stages
from controldag.constraints.pattern import Pattern
from controldag.constraints.pattern_check import matches
from controldag.constraints.phrase_check import Text, in_turn, own_places
from controldag.constraints.token_level import TokenPhrase, TokenVocabulary
from controldag.constraints.vocabulary import Vocabulary
from controldag.constraints.vocabulary_check import keeps_to, splits_into
from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Span:
    """Where a phrase stands: `text[begin:end]`, for the constraint called `label`."""

    label: str
    begin: int
    end: int


def violations(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> tuple[str, ...]:
    """The labels of the members of the top-level conjunction that the text violates; preferences do not count."""
    return _violated(list(_members(constraint)), Text(text), tuple(tokens))


def satisfies(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> bool:
    """Whether the text violates nothing."""
    return not violations(constraint, text, tokens)


def penalty(constraint: Constraint | None, text: str | bytes, tokens: Sequence[int] = ()) -> float:
    """The sum of the penalties of the preferences that the text violates."""
    known = Text(text)
    preferences = [member for member in _members(constraint) if isinstance(member, Soft)]
    return sum(p.penalty for p in preferences if not _holds(p.member, known, tuple(tokens)))


def spans(constraint: Constraint | None, text: str) -> tuple[Span, ...]:
    """Where the phrases of satisfied constraints stand, in text order; those of own-occurrence ones are disjoint."""
    return tuple(sorted(_spans(constraint, Text(text)), key=lambda span: (span.begin, span.end)))


def _members(constraint: Constraint | None) -> Iterator[Constraint]:
    """The members of a conjunction, flattened."""
    if isinstance(constraint, All):
        for member in constraint.members:
            yield from _members(member)
    elif constraint is not None:
        yield constraint


def _violated(members: Sequence[Constraint], text: Text, tokens: tuple[int, ...]) -> tuple[str, ...]:
    own = [member for member in members if isinstance(member, Stages) and member.own]
    rooms = iter(own_places(own, text)) if len(own) > 1 else None
    labels = []
    for member in members:
        if rooms is not None and isinstance(member, Stages) and member.own:
            good = next(rooms) is not None
        else:
            good = isinstance(member, Soft) or _holds(member, text, tokens)
        if not good:
            labels.append(member.label)
    return tuple(labels)


def _holds(constraint: Constraint, text: Text, tokens: tuple[int, ...]) -> bool:
    match constraint:
        case Stages():
            return in_turn(constraint, text) is not None
        case Vocabulary():
            return keeps_to(constraint, text.written)
        case Pattern():
            return matches(constraint.regex, text.written, full=constraint.full, ignore_case=constraint.ignore_case)
        case Not():
            return not _holds(constraint.member, text, tokens)
        case Any_():
            return any(_holds(member, text, tokens) for member in constraint.members)
        case All():
            return not _violated(list(_members(constraint)), text, tokens)
        case TokenPhrase():
            wanted = constraint.tokens
            return any(tokens[i : i + len(wanted)] == wanted for i in range(len(tokens) - len(wanted) + 1))
        case TokenVocabulary():
            return splits_into(constraint, tokens)
        case _:
            raise InvalidInput.of("constraint", "be of a known kind", type(constraint).__name__)


def _spans(constraint: Constraint | None, text: Text) -> Iterator[Span]:
    match constraint:
        case Stages():
            for _, place in in_turn(constraint, text) or ():
                yield Span(constraint.label, *place)
        case Soft():
            yield from _spans(constraint.member, text)
        case Any_():
            for member in constraint.members:
                yield from _spans(member, text)
        case All():
            members = list(_members(constraint))
            own = [member for member in members if isinstance(member, Stages) and member.own]
            for leaf, places in zip(own, own_places(own, text), strict=True):
                for place in places or ():
                    yield Span(leaf.label, *place)
            for member in members:
                if not (isinstance(member, Stages) and member.own):
                    yield from _spans(member, text)
        case _:
            return
