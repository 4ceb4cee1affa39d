"""How long a text should be, as people say it: `18`, `=18`, `10-20`, `10-`, in tokens or in words."""

from __future__ import annotations

import re
from typing import NamedTuple

from controldag.constraints import Constraint, Length, words
from controldag.errors import InvalidInput
from controldag.generation.wishes import WISH

_FORM = re.compile(r"(?P<exact>=)?(?P<low>[0-9]{1,6})(?P<range>-(?P<high>[0-9]{1,6})?)? *(?P<unit>tokens?|words?)?")
_REMEDY = "Or give a Length, which counts tokens; `18 words` counts words."
# A text of about so many words may have this share more or less, and one word in any case.
_ABOUT = 0.1


class LengthWish(NamedTuple):
    """What a length asks of the search: of its tokens, or a constraint on its words."""

    tokens: Length | None = None
    words: Constraint | None = None


def length_wish(given: Length | int | str | None) -> LengthWish:
    """`18`: a target; `=18`: exactly; `10-20`, `10-`: bounds; in tokens with `</s>` unless `words` follows."""
    if given is None or given == "":
        return LengthWish()
    if isinstance(given, Length):
        return LengthWish(given)
    whole = type(given) is int or isinstance(given, str)
    found = _FORM.fullmatch(str(given).strip()) if whole else None
    if found is None or (found["exact"] and found["range"]):
        raise InvalidInput.of("length", "be written 18, =18, 10-20 or 10-", given, remedy=_REMEDY)
    low, high = int(found["low"]), int(found["high"]) if found["high"] else None
    if (found["unit"] or "").startswith("word"):
        return LengthWish(words=_of_words(low, high, exact=bool(found["exact"]), bounds=bool(found["range"])))
    if found["exact"]:
        return LengthWish(Length(exact=low))
    if found["range"]:
        return LengthWish(Length(minimum=low, maximum=high))
    return LengthWish(Length(target=low))


def _of_words(low: int, high: int | None, *, exact: bool, bounds: bool) -> Constraint:
    if exact:
        return words(low, low)
    if bounds:
        return words(low, high)
    room = max(1, round(_ABOUT * low))
    return words(max(1, low - room), low + room).soft(WISH)
