"""Relations that say when or where something happens: held on, start date, demolished, race."""

from __future__ import annotations

import re

from controldag.plain.english import is_participle
from controldag.plain.facts_frames import Fact, Predicate, Role, Said, predicate
from controldag.plain.facts_kinds import EVENT, PERSON
from controldag.plain.facts_lists import word_set
from controldag.plain.facts_values import Kind, Value, as_time
from controldag.plain.facts_verbs import STATIVE, is_passive


def held(fact: Fact) -> Said | None:
    when = as_time(fact.value)
    if when.kind is not Kind.TIME:
        return None
    return Predicate("was" if when.has_year and not when.is_to_come else "is", when.when, "held")


_BATTLES = re.compile(
    r"\b(?:battle|war|siege|revolution|festival|marathon|election|championships?|cup|olympics|games|derby|prix|concert|match|"
    r"conference|summit|tournament|race|expo|fair|wedding|earthquake|riot|protest|coronation|crusade)\b"
)
_PAPERS = re.compile(
    r"\b(?:peace|treaty|act|law|constitution|declaration|charter|painting|portrait|statue|church|castle)\b"
)


def in_year(fact: Fact) -> Said | None:
    """`took place in 1648` of what happens, `dates from 1713` of papers and old things; others have a year."""
    when, name = as_time(fact.value), fact.subject.lower()
    if when.kind is not Kind.TIME or when.is_to_come:
        return None
    if fact.kind == EVENT or _BATTLES.search(name):
        return Predicate("took", when.when, "place")
    return Predicate("dates", f"from {when.text}") if _PAPERS.search(name) and when.preposition == "in" else None


def on_date(fact: Fact) -> Said | None:
    """`took place on 3 May 1644` of what happens, where the year is told."""
    when = as_time(fact.value)
    happens = fact.kind == EVENT or _BATTLES.search(fact.subject.lower())
    over = when.kind is Kind.TIME and when.has_year and not when.is_to_come
    return Predicate("took", when.when, "place") if happens and over else None


def held_at(fact: Fact) -> Said | None:
    if (said := held(fact)) is not None:
        return said
    past = fact.relation.words[0] == "took"
    rest = f"{fact.relation.words[-1]} {fact.value.named}"
    if fact.relation.words[0] == "held":
        return Predicate("is", rest, "held")
    return Predicate("took" if past else "takes", rest, "place")


def starts(fact: Fact) -> Said | None:
    return _runs(fact, "starts", "started")


def ends(fact: Fact) -> Said | None:
    return _runs(fact, "ends", "ended")


def _runs(fact: Fact, recurring: str, once: str) -> Said | None:
    """`starts on 3 May`, `started in 1939`; with a year, only a name in the past tells that it is over."""
    when = as_time(fact.value)
    in_past = fact.relation.words[0] == once
    if when.kind is not Kind.TIME or fact.kind == PERSON or (when.has_year and not in_past):
        return None
    return Predicate(once if in_past else recurring, when.when)


def destroyed(fact: Fact) -> Said | None:
    when = as_time(fact.value)
    stem = "destroyed" if fact.relation.key.startswith("destr") else "demolished"
    return Predicate("was", when.when, stem) if when.kind is Kind.TIME else None


_RACES = re.compile(
    r"marathon|race|cup|prix|derby|\brun\b|tour|rally|\b500\b|open|stakes|championship|triathlon|regatta|ironman|relay"
)


def race(fact: Fact) -> Said | None:
    if all(_RACES.search(item.lower()) for item in fact.value.items):
        return predicate(f"competed in {fact.value.named}")
    return None


# What happens to several people: the object is how many.
_HARMED = word_set("killed injured wounded displaced arrested rescued")


def by_participle(words: tuple[str, ...], value: Value) -> Said | None:
    """`grossed $48 million`, `was hired in 2014`, `is best served hot`; None for other names."""
    last, time = words[-1].lower(), as_time(value)
    if len(words) == 1 and last in _HARMED and value.kind is Kind.NUMBER:
        return Role(f"number of {last} people", value.text)
    if len(words) == 1 and is_participle(last) and last not in STATIVE and value.kind is Kind.MEASURE:
        return Predicate(last, value.text)
    if len(words) != 2 or not is_passive(last):
        return None
    if words[0].lower() in ("year", "date", "month") and time.kind is Kind.TIME:
        return Predicate("was", time.when, words[1])
    return Predicate("is", f"best {last} {value.text}") if words[0].lower() == "best" and value.text.islower() else None
