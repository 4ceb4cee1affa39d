"""Noun phrases with a clause in their tail: `the city where the bus leaves from`, `the person who works on the car`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.clause import Clause, parse_clause
from controldag.plain.lexicon import DETERMINERS, PREPOSITIONS, PRONOUNS, is_verb, word_set
from controldag.plain.noun_phrase import NounPhrase

_TIMES = word_set("time date day hour moment weekday weekdays days dates times month year")
_TOWNS = word_set("city town country state region village county district province suburb municipality continent")
_BEHIND = re.compile(r"^(?:(in|on|at|to|from|for|by|with|into|under|during) which|where|when|that|which|who) (.+)$")


@dataclass(frozen=True, slots=True)
class Related:
    """What a clause in the tail allows: a question of its own, a clause that takes a time, a clause around a value."""

    question: str = ""
    happening: str = ""
    around: tuple[str, str] | None = None


def related(phrase: NounPhrase) -> Related:
    """What can be made of the phrase's tail; nothing where it holds no clause that is understood."""
    tail = phrase.tail
    if re.match(r"to [a-z]", tail):
        return _infinitive(phrase)
    # `time of day when a lesson starts`
    tail = re.sub(r"^(?:of day|of the day|or town|or place|of the week) (?=when|at|on|where|in)", "", tail)
    match = _BEHIND.match(tail)
    word = tail.split(" ", 1)[0]
    if match is None:
        return _contact(phrase) if word in DETERMINERS | PRONOUNS else Related()
    rest = match[2]
    if word in ("who", "that", "which"):
        return _subject_clause(phrase, rest, word)
    clause = parse_clause(rest, is_clause=True)
    if clause is None:
        return Related()
    if word == "when" or (phrase.head in _TIMES and word in ("at", "on", "in")):
        return _time(phrase, clause)
    if word == "where" or (word == "in" and phrase.head in _TOWNS):
        return _place(phrase, clause)
    return Related(f"{match[1]} which {phrase.core} {clause.asked_now}")


def _infinitive(phrase: NounPhrase) -> Related:
    """`name to use for the new alarm`: which name would you like to use for it."""
    words = phrase.tail.split()
    following = words[2] if len(words) > 2 else ""
    particle = following in ("up", "in", "out", "off") and len(words) > 3
    if not is_verb(words[1]) or particle or (following and following not in PREPOSITIONS):
        return Related()
    return Related(f"which {phrase.core} would you like {phrase.tail}")


def _subject_clause(phrase: NounPhrase, rest: str, word: str) -> Related:
    first = rest.split(" ", 1)[0]
    if first in DETERMINERS | PRONOUNS:
        return _object_clause(phrase, rest)
    if word == "who":
        return Related(
            f"who {rest}" if phrase.head in ("person", "someone", "people") else f"which {phrase.core} {rest}"
        )
    return Related()


def _contact(phrase: NounPhrase) -> Related:
    return _object_clause(phrase, phrase.tail)


def _object_clause(phrase: NounPhrase, rest: str) -> Related:
    """`treatment the laundry should get`, `album the song belongs to`, `date the event starts`."""
    clause = parse_clause(rest, is_clause=True)
    if clause is None:
        return Related()
    if phrase.head in _TIMES and rest.split()[-1] not in PREPOSITIONS:
        return _time(phrase, clause)
    return Related(f"which {phrase.core} {clause.asked_now}")


def _time(phrase: NounPhrase, clause: Clause) -> Related:
    if phrase.core != phrase.head:
        # The earliest date, the arrival time: the clause alone would lose what kind of date it is.
        return Related(f"what {'are' if phrase.plural else 'is'} {phrase.full}")
    on_which = {
        "day": "on which day",
        "weekdays": "on which weekdays",
        "days": "on which days",
        "date": "on which date",
    }
    asked = on_which.get(phrase.head, f"in which {phrase.head}" if phrase.head in ("year", "month") else "when")
    return Related(f"{asked} {clause.asked_as_wish}", happening=clause.said)


def _place(phrase: NounPhrase, clause: Clause) -> Related:
    last = clause.rest.split()[-1:] or [clause.verb]
    if last[0] in PREPOSITIONS:
        return Related(f"which {phrase.core} {clause.asked_now}")
    if phrase.head not in _TOWNS:
        return Related()
    around = (f"{clause.said} in", "") if phrase.core == phrase.head or phrase.core == "city or town" else None
    return Related(f"in which {phrase.core} {clause.asked_as_wish}", around=around)
