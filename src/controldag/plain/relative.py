"""Noun phrases with a clause in their tail: `the city where the bus leaves from`, `the person who works on the car`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.clause import Clause
from controldag.plain.finite import parse_clause
from controldag.plain.lexicon import DETERMINERS, PREPOSITIONS, PRONOUNS, is_verb, word_set
from controldag.plain.noun_phrase import NounPhrase

_TIMES = word_set("time date day hour moment weekday weekdays days dates times month year")
_TOWNS = word_set("city town country state region village county district province suburb municipality continent")
_AMOUNTS = word_set("amount price cost fee number rate sum deposit total charge percentage discount salary value fare")
_WITHOUT_OBJECT = word_set("look search meet wait shop stay go travel listen apply live work sit stand")
_STOPS = word_set("station stop airport port harbour harbor terminal place location")
_TRIPS = word_set("journey trip bus train flight ferry ride route coach")
_LEAVING = word_set("originates originate starts begins departs leaves start begin departing leaving starting")
_REACHING = word_set("ends arrives terminates end going arriving ending heading")
_PLACES = word_set("area place location spot")
_STRANDED = word_set("to from for with at on in of about into by")
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
    # The lowest age at which: the question asks for the phrase as a whole.
    return Related(f"{match[1]} which {phrase.core} {clause.asked_now}") if phrase.core == phrase.head else Related()


def _infinitive(phrase: NounPhrase) -> Related:
    """`name to use for the new alarm`: which name would you like to use for it."""
    if is_superlative(phrase.core):
        return Related()
    words = phrase.tail.split()
    following = words[2] if len(words) > 2 else ""
    particle = following in ("up", "in", "out", "off") and len(words) > 3
    if not is_verb(words[1]) or (phrase.head in _AMOUNTS and following):
        return Related()
    asked = _asked_for(phrase)
    if words[1] in _WITHOUT_OBJECT and len(words) > 3 and words[-1] not in PREPOSITIONS:
        return Related(f"{asked} would you like {phrase.tail}") if asked else Related()
    if particle or (following and following not in PREPOSITIONS):
        stranded = words[-1] in PREPOSITIONS
        if stranded and phrase.core == phrase.head and phrase.head not in _AMOUNTS:
            return Related(f"which {phrase.core} would you like {phrase.tail}")
        return Related(f"{asked} would you like {phrase.tail}") if asked and not stranded else Related()
    return Related(f"which {phrase.core} would you like {phrase.tail}")


def _asked_for(phrase: NounPhrase) -> str:
    """The words that ask for a place or a time: `in which city`, `on which date`; "" for other phrases."""
    if phrase.head in _TOWNS:
        return f"in which {phrase.core}"
    if phrase.head in _PLACES and phrase.core == phrase.head:
        return "where"
    if phrase.head in ("day", "days", "weekday", "weekdays", "date", "dates"):
        return f"on which {phrase.core}"
    return "when" if phrase.core == "time" else ""


def _subject_clause(phrase: NounPhrase, rest: str, word: str) -> Related:
    first = rest.split(" ", 1)[0]
    if first in DETERMINERS | PRONOUNS:
        return _object_clause(phrase, rest)
    if word == "who" and phrase.head in ("person", "someone", "people"):
        return Related(f"who {rest}")
    is_amount = is_superlative(phrase.core) or phrase.plural or phrase.head in _AMOUNTS or phrase.head in _TIMES
    return Related(f"which {phrase.core} {rest}") if word == "who" or not is_amount else Related()


def _contact(phrase: NounPhrase) -> Related:
    return _object_clause(phrase, phrase.tail)


def _object_clause(phrase: NounPhrase, rest: str) -> Related:
    """`treatment the laundry should get`, `album the song belongs to`, `date the event starts`."""
    clause = parse_clause(rest, is_clause=True)
    if clause is None:
        return Related()
    if phrase.head in _TIMES and rest.split()[-1] not in _STRANDED:
        return _time(phrase, clause)
    if phrase.head in _AMOUNTS or is_superlative(phrase.core):
        return Related()
    asked = "who" if phrase.core == "person" else f"which {phrase.core}"
    order = clause.asked_as_wish if clause.subject == "you" else clause.asked_now
    return Related(f"{asked} {order}")


def is_superlative(core: str) -> bool:
    """Whether the phrase begins with a word that leaves one only: the latest time, the smallest group."""
    first = core.split()[0].lower()
    return (first.endswith("est") and len(first) > 4) or first in (
        "first",
        "last",
        "next",
        "maximum",
        "minimum",
        "best",
    )


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


def _end_of_journey(phrase: NounPhrase, clause: Clause) -> str:
    """`which city would you like to leave from` for the place where a journey begins or ends; "" for other places."""
    subject, verbs = clause.subject.lower().split()[-1], {clause.verb, *clause.rest.split()[:1]}
    if subject not in _TRIPS or phrase.head not in _TOWNS | _STOPS:
        return ""
    direction = "leave from" if verbs & _LEAVING else "go to" if verbs & _REACHING else ""
    return f"which {phrase.core} would you like to {direction}" if direction else ""


def _place(phrase: NounPhrase, clause: Clause) -> Related:
    end = _end_of_journey(phrase, clause)
    if end:
        return Related(end)
    last = clause.rest.split()[-1:] or [clause.verb]
    if last[0] in _STRANDED:
        return Related(f"which {phrase.core} {clause.asked_now}")
    if phrase.core in _PLACES:
        return Related(f"where {clause.asked_as_wish}")
    if phrase.head not in _TOWNS:
        return Related()
    around = (f"{clause.said} in", "") if phrase.core == phrase.head or phrase.core == "city or town" else None
    return Related(f"in which {phrase.core} {clause.asked_as_wish}", around=around)
