"""The forms in which a fact is said: a predicate behind its subject, a role that the object fills, a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from controldag.plain.facts_values import Value
from controldag.plain.facts_words import Relation


class Form(Enum):
    """What a predicate with `is` says, where that decides how it joins others."""

    OTHER = "other"
    CLASS = "class"  # is a biscuit
    ADJECTIVE = "adjective"  # is Canadian
    PLACE = "place"  # is in Egypt, is from England


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of the subject: `was` + `written by Noor El-Amin`.

    verb: its first word (`is`, `was`, `has`, `weighs`). stem: the word that several predicates may share (`born` in
    Paris, `born` on 3 May; `in` Norwich, `in` England): `rest` begins behind it. size: of a place, the largest last
    (`Norwich, England`); 0: no such place.
    """

    verb: str
    rest: str
    stem: str = ""
    form: Form = Form.OTHER
    size: int = 0

    @property
    def behind(self) -> str:
        """What stands behind the verb."""
        return " ".join(part for part in (self.stem, self.rest) if part)

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.verb, self.behind) if part)


@dataclass(frozen=True, slots=True)
class Role:
    """What the object is to the subject: the `mayor` of Westhaven is `Gordon Pike`.

    verb: `is` or `are`. link: the word between noun and subject (`of`, `by`); empty: the subject stands first (`For X,
    the year built is 1180`). article: before the noun.
    """

    noun: str
    value: str
    verb: str = "is"
    link: str = "of"
    article: str = "the"


@dataclass(frozen=True, slots=True)
class Statement:
    """A whole clause behind an opening that says whether it holds: `it is true that` X `is waterproof`."""

    opening: str
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as the rules see it: `kind` is what the subject is (`facts_kinds`), empty where nothing tells."""

    subject: str
    kind: str
    relation: Relation
    value: Value


Said = Predicate | Role | Statement

_STEM = re.compile(r"(?:\w+ed|born|built|held|written|found|made|won|drawn|sold|sunk|led|known|broadcast)\b")
_PLACED = re.compile(r"(?:in|near|from|on|under) (?!the label)")


def predicate(text: str) -> Predicate:
    """A predicate from its words: the first is its verb, a participle behind `is` or `was` its stem."""
    verb, _, rest = text.partition(" ")
    if verb in ("is", "was") and (found := _STEM.match(rest)):
        return Predicate(verb, rest[found.end() :].strip(), found.group())
    if verb == "died":
        return Predicate("", rest, "died")
    form = Form.OTHER
    if verb == "is":
        form = Form.PLACE if _PLACED.match(rest) else Form.OTHER
    return Predicate(verb, rest, form=form)


def filled(template: str, value: Value) -> Predicate:
    """A predicate from a template of `facts_table`.

    `{o}` is the object, `{the}` the object with `the` where its name takes one, `{a}` with `a` or `an` where it is a
    noun that is counted, `{t}` a time and `{in}` a place behind its preposition.
    """
    parts = {"o": value.text, "the": value.named, "a": value.with_articles, "t": value.when, "in": value.where}
    # The objects may hold braces themselves, so `str.format` is no help.
    pieces = re.split(r"\{(o|the|a|t|in)\}", template)
    return predicate("".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces)))
