"""A user's wishes in plain words: phrases, patterns and lengths as the command line and JSON lines give them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controldag.constraints import Constraint, Length, all_of, any_of, contains, pattern
from controldag.errors import InvalidInput

_LENGTH = re.compile(r"(?P<exact>=)?(?P<low>[0-9]{1,6})(?P<range>-(?P<high>[0-9]{1,6})?)?")


@dataclass(frozen=True, slots=True)
class Wishes:
    """must: phrases the text holds. must_any: of each group at least one. must_not: phrases it does not hold.

    patterns: regular expressions with a match in it. Case counts in all of them.
    length: in tokens with `</s>`: `18` as a target, `=18` exactly, `10-20` or `10-` as bounds.
    """

    must: Sequence[str] = ()
    must_any: Sequence[Sequence[str]] = ()
    must_not: Sequence[str] = ()
    patterns: Sequence[str] = ()
    length: str = ""

    def constraint(self) -> Constraint | None:
        """All of them as one constraint; None where there is none."""
        members = [
            *(contains(phrase) for phrase in self.must),
            *(any_of(*group) for group in self.must_any),
            *(~contains(phrase) for phrase in self.must_not),
            *(pattern(regex) for regex in self.patterns),
        ]
        return all_of(*members) if members else None

    def bounds(self) -> Length | None:
        """The length asked for; None where none is."""
        return parse_length(self.length) if self.length else None


def parse_length(text: str) -> Length:
    """`18`: a target; `=18`: exactly; `10-20`, `10-`: bounds."""
    found = _LENGTH.fullmatch(text.strip())
    if found is None or (found["exact"] and found["range"]):
        raise InvalidInput.of("length", "be written 18, =18, 10-20 or 10-", text)
    low = int(found["low"])
    if found["exact"]:
        return Length(exact=low)
    if found["range"]:
        return Length(minimum=low, maximum=int(found["high"]) if found["high"] else None)
    return Length(target=low)
