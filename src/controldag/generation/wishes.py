"""A user's wishes in plain words: phrases and patterns as the command line and JSON lines give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controldag.constraints import Constraint, all_of, any_of, contains, in_order, pattern

WISH = 5.0
"""What a text that breaks a wish costs more: about as much as five unlikely words."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """must: phrases the text holds. must_any: of each group at least one. must_not: phrases it does not hold.

    in_order: the phrases of each group one after another. patterns: regular expressions with a match in it.
    prefer: phrases that it holds if that is not too unlikely. Case counts in all of them.
    """

    must: Sequence[str] = ()
    must_any: Sequence[Sequence[str]] = ()
    must_not: Sequence[str] = ()
    in_order: Sequence[Sequence[str]] = ()
    patterns: Sequence[str] = ()
    prefer: Sequence[str] = ()

    def constraint(self) -> Constraint | None:
        """All of them as one constraint; None where there is none."""
        members = [
            *(contains(phrase) for phrase in self.must),
            *(any_of(*group) for group in self.must_any),
            *(~contains(phrase) for phrase in self.must_not),
            *(in_order(*group) for group in self.in_order),
            *(pattern(regex) for regex in self.patterns),
            *(contains(phrase).soft(WISH) for phrase in self.prefer),
        ]
        return all_of(*members) if members else None
