"""Clauses of a turn in one sentence: what they share is said once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controldag.plain.english import joined
from controldag.plain.lexicon import is_finite


def listed_verbs(said: Sequence[str]) -> str:
    """`is in San Jose, has 4 beds and a garden and costs $90`: what one subject is said to be and do."""
    having = [each.removeprefix("has ") for each in said if each.startswith("has ") and " and " not in each]
    others = [each for each in said if not each.startswith("has ") or " and " in each]
    if len(having) > 1:
        first = next(place for place, each in enumerate(said) if each not in others)
        said = [*others[:first], f"has {joined(having)}", *others[first:]]
    return (
        listed(said) if len(said) > 2 or any(", " in each or " and " in each for each in said) else " and ".join(said)
    )


_SUBJECT = re.compile(r"(it|you|the [\w-]+) (\w+)(.*)$")


def both(one: str, two: str) -> str:
    """Two clauses in one sentence; what both are about is named once."""
    first, second = _SUBJECT.match(one), _SUBJECT.match(two)
    if first and second and first[1] == second[1] and all(is_finite(each[2]) for each in (first, second)):
        return f"{one} and {second[2]}{second[3]}"
    return f"{one}, and {two}"


_WISHED = re.compile(r"(what [\w' -]+) would you like((?: for [\w' -]+)?)$")


def shared(asked: list[str]) -> list[str]:
    """Questions with what two neighbours share said once: `what date and what time would you like for the visit`."""
    found: list[str] = []
    for each in asked:
        one, two = (_WISHED.match(found[-1]) if found else None), _WISHED.match(each)
        if one and two and one[2] == two[2] and " and " not in one[1]:
            found[-1] = f"{one[1]} and {two[1]} would you like{two[2]}"
        else:
            found.append(each)
    return found


def is_heavy(clause: str) -> bool:
    """Whether a clause holds a list, so that it stands alone."""
    return ", " in clause or " and " in clause or ";" in clause


def listed(clauses: Sequence[str]) -> str:
    """Clauses one after another, `and` before the last; semicolons where one of them holds a comma."""
    if len(clauses) < 2:
        return "".join(clauses)
    mark = ";" if any(", " in clause or ";" in clause for clause in clauses) else ","
    return f"{f'{mark} '.join(clauses[:-1])}{mark} and {clauses[-1]}"
