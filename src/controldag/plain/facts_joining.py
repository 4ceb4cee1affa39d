"""How predicates of one subject join: shared words are said once, classes take in places and peoples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from controldag.plain.english import base_form, with_article
from controldag.plain.facts_frames import Form, Predicate, Role, Said, Statement
from controldag.plain.facts_verbs import is_third_person

_WHEN = re.compile(r"(?:in|on|at|in the) [^a-z]*[0-9]|(?:in|on) [A-Z][a-z]+ [0-9]")
# A comma inside a number separates nothing.
_LISTS = re.compile(r" and |, ")
# What follows a class with a preposition of its own would belong to its last noun: a student of Carlo Bassi.
_NOT_PLAIN = re.compile(r" and |, | (?:of|in|for|at|with|to|from|by|on) ")
# What a class takes in: a biscuit from England, a coffee shop in the city centre near Burger King.
_MOST_TAKEN_IN = 2
# Predicates and characters of a sentence: more are hard to follow.
_MOST_PREDICATES = 5
_LONG = 170


def tidied(predicates: Sequence[Predicate]) -> list[Predicate]:
    """The predicates in a good order: those with words in common as one, what the subject is before what it has."""
    shared = _shared(predicates)
    shared = _with_people(shared)
    shared = _with_places(shared)
    first_of: dict[str, int] = {}
    for index, each in enumerate(shared):
        first_of.setdefault(_gap(each) or f"{index}", index)
    places = {id(each): first_of[_gap(each) or f"{index}"] for index, each in enumerate(shared)}
    return sorted(shared, key=lambda each: (_rank(each), places[id(each)]))


def _rank(each: Predicate) -> int:
    """What it is, its birth, everything else, its death."""
    if each.form in (Form.CLASS, Form.ADJECTIVE):
        return 0
    return {"born": 1, "died": 3}.get(each.stem, 2)


def _shared(predicates: Sequence[Predicate]) -> list[Predicate]:
    """`was born in Paris on 3 May`, `is in Norwich, England`: what has verb and stem in common becomes one."""
    found: list[Predicate] = []
    for each in predicates:
        at = next((index for index, other in enumerate(found) if _may_share(other, each)), None)
        if at is None:
            found.append(each)
        else:
            found[at] = _together(found[at], each)
    return found


def _may_share(one: Predicate, other: Predicate) -> bool:
    if not one.stem or one.stem != other.stem or {one.verb, other.verb} - {"is", "was"} not in (set(), {one.verb}):
        return False
    if one.size and other.size:
        return one.size != other.size and not _LISTS.search(one.rest + other.rest)
    # Time beside place or maker; two of a kind would read as one.
    return bool(_WHEN.match(one.rest)) != bool(_WHEN.match(other.rest)) and one.form is Form.OTHER


def _together(one: Predicate, other: Predicate) -> Predicate:
    if one.size:
        smaller, larger = sorted((one, other), key=lambda each: each.size)
        return replace(larger, rest=f"{smaller.rest}, {larger.rest}")
    where, when = sorted((one.rest, other.rest), key=lambda rest: bool(_WHEN.match(rest)))
    verb = "was" if "was" in (one.verb, other.verb) else one.verb
    return replace(one, verb=verb, rest=f"{where}{',' if ', ' in where else ''} {when}")


def _with_people(predicates: list[Predicate]) -> list[Predicate]:
    """`is a Canadian cartographer` from `is a cartographer` and `is Canadian`."""
    classes = [each for each in predicates if each.form is Form.CLASS and re.match(r"an? ", each.rest)]
    peoples = [each for each in predicates if each.form is Form.ADJECTIVE]
    if len(classes) != 1 or len(peoples) != 1 or " and " in classes[0].rest + peoples[0].rest:
        return predicates
    noun = classes[0].rest.partition(" ")[2]
    joint = replace(classes[0], rest=with_article(f"{peoples[0].rest} {noun}"))
    return [joint if each is classes[0] else each for each in predicates if each is not peoples[0]]


def _with_places(predicates: list[Predicate]) -> list[Predicate]:
    """`is a biscuit from England` from `is a biscuit` and `is from England`."""
    classes = [each for each in predicates if each.form is Form.CLASS and re.match(r"an? ", each.rest)]
    if len(classes) != 1 or _NOT_PLAIN.search(classes[0].rest):
        return predicates
    taken: list[Predicate] = []
    for each in predicates:
        preposition = each.behind.partition(" ")[0]
        known = [other.behind.partition(" ")[0] for other in taken]
        fits = each.form is Form.PLACE and preposition not in known and not re.search(r" and |[\"(]", each.rest)
        if fits and len(taken) < _MOST_TAKEN_IN and not any(", " in other.rest for other in taken):
            taken.append(each)
    joint = replace(classes[0], rest=" ".join((classes[0].rest, *(each.behind for each in taken))))
    return [joint if each is classes[0] else each for each in predicates if each not in taken]


def grouped(predicates: Sequence[Predicate]) -> Iterator[list[Predicate]]:
    """The predicates of each sentence: neighbours that share a verb stay together if they can."""
    group: list[Predicate] = []
    for gap, run in groupby(predicates, key=_gap):
        members = list(run)
        for part in [members] if gap else [[each] for each in members]:
            if group and not _has_room(group, part):
                yield group
                group = []
            for each in part:
                if group and not _has_room(group, [each]):
                    yield group
                    group = []
                group.append(each)
    if group:
        yield group


def _has_room(group: Sequence[Predicate], more: Sequence[Predicate]) -> bool:
    length = sum(len(each.text) for each in (*group, *more))
    return len(group) + len(more) <= _MOST_PREDICATES and length <= _LONG


_PLURAL_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do"}


def in_plural(said: Said) -> Said:
    """The same of several: `are`, `have`, `eat`."""
    if isinstance(said, Role):
        return said
    if isinstance(said, Statement):
        return replace(said, predicate=_plural_verb(said.predicate))
    return _plural_verb(said)


def _plural_verb(each: Predicate) -> Predicate:
    verb = _PLURAL_VERBS.get(each.verb)
    if verb is None:
        verb = base_form(each.verb) if is_third_person(each.verb) else each.verb
    return replace(each, verb=verb)


def joined_predicates(group: Sequence[Predicate]) -> str:
    """`was written by A and illustrated by B, has 48 pages and costs £4`: a verb that repeats is said once."""
    parts: list[str] = []
    for gap, run in groupby(group, key=_gap):
        members = list(run)
        if gap and len(members) > 1:
            parts.append(f"{members[0].verb} {clauses_in_a_row([each.behind for each in members])}")
        else:
            parts.extend(each.text for each in members)
    return clauses_in_a_row(parts)


def _gap(each: Predicate) -> str:
    """What neighbours must have in common to share a verb; empty: nothing."""
    if each.verb in ("has", "have"):
        # `has been a member since 2003` shares its verb with nothing that it has.
        return "" if each.rest.startswith(("its ", "been ")) else each.verb
    if each.form is Form.PLACE:
        return "is in"
    if each.verb == "is" and re.match(r"(?:the|an?) ", each.behind):
        return "is someone"
    return f"{each.verb} done" if each.verb in ("is", "was", "are", "were") and each.stem else ""


def clauses_in_a_row(parts: Sequence[str]) -> str:
    """The clauses in a row; a comma before the last `and` where an earlier clause has one of its own."""
    if len(parts) == 1:
        return parts[0]
    nested = any(_LISTS.search(part) for part in parts[:-1]) or " and " in parts[-1]
    return f"{', '.join(parts[:-1])}{',' if nested else ''} and {parts[-1]}"
