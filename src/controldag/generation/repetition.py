"""Nothing twice: how often a text may say a phrase, by what the input and the user's own constraint ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controldag.constraints import Constraint, all_of, contains
from controldag.constraints.algebra import All, Any_, Soft
from controldag.constraints.lexical import Stages

# Phrases that are kept from being said too often: each of them doubles the states of the search.
_MOST_LIMITS = 12


def said_once(phrases: Sequence[str], names: Sequence[str], extra: Constraint | None = None) -> Constraint | None:
    """No phrase more often than it stands in the names of the input (`San` in `San Jose` counts), case ignored.

    Whoever asks for more in a constraint of their own (`extra`) may have it.
    """
    limits = []
    for phrase in dict.fromkeys(phrases[:_MOST_LIMITS]):
        found = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
        times = max(phrases.count(phrase), sum(len(found.findall(name)) for name in names), _asked(extra, found))
        limits.append(contains(phrase, ignore_case=True, whole_word=True, at_least=0, at_most=max(1, times)))
    return all_of(*limits) if limits else None


def _asked(constraint: Constraint | None, found: re.Pattern[str]) -> int:
    """How often a text that satisfies the constraint may have to say what `found` finds."""
    match constraint:
        case Stages():
            return sum(max(len(found.findall(each.text)) for each in stage) for stage in constraint.stages)
        case Soft():
            return _asked(constraint.member, found)
        case All():
            return sum(_asked(member, found) for member in constraint.members)
        case Any_():
            return max(_asked(member, found) for member in constraint.members)
        case _:
            return 0
