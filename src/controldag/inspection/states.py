"""The state of every constraint along the chosen path: still open, being said, or met."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from controldag.constraints import Constraint, conjuncts
from controldag.constraints.check import Checked, satisfies
from controldag.constraints.lexical import Stages
from controldag.drawing.graph import State, Strip
from controldag.search.result import Hypothesis


def strips_of(
    constraint: Constraint | None, verdicts: Sequence[Checked], found: Hypothesis, places: Sequence[tuple[int, int]]
) -> tuple[Strip, ...]:
    """A strip for each member of the conjunction. `verdicts` are theirs, `places` those of the hypothesis's tokens."""
    return tuple(
        Strip(verdict.words, colour, tuple(_states(member, verdict, found, places)))
        for member, verdict, colour in zip(conjuncts(constraint), verdicts, colours_of(verdicts), strict=True)
    )


def colours_of(verdicts: Sequence[Checked]) -> list[int | None]:
    """A colour for each constraint that stands somewhere in the text; None for the others."""
    colours = count()
    return [next(colours) if verdict.spans else None for verdict in verdicts]


def _states(member: Constraint, verdict: Checked, found: Hypothesis, places: Sequence[tuple[int, int]]) -> list[State]:
    states: list[State] = []
    last = max((end for _, end in verdict.spans), default=0)
    for size, (begin, end) in enumerate(places, start=1):
        if any(begin < span_end and end > span_begin for span_begin, span_end in verdict.spans):
            states.append("saying")
        elif verdict.spans and isinstance(member, Stages):
            # By its own places: several constraints may ask for the same phrase, each met by another one.
            states.append("met" if end >= last else "open")
        else:
            good = satisfies(member, found.text[:end], found.tokens[:size])
            states.append("met" if good else "open")
    return states
