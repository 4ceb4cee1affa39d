"""How many words a text has: parts between blanks, as people count them."""

from __future__ import annotations

from controldag.constraints.algebra import Constraint
from controldag.constraints.length import bounds_in_words
from controldag.constraints.pattern import full_pattern
from controldag.errors import InvalidInput

MOST_WORDS = 1_000


def words(minimum: int = 1, maximum: int | None = None) -> Constraint:
    """Texts of `minimum` to `maximum` words (None: any number)."""
    highest = MOST_WORDS if maximum is None else maximum
    if not all(type(each) is int for each in (minimum, highest)) or not 1 <= minimum <= highest <= MOST_WORDS:
        given = (minimum, maximum)
        raise InvalidInput.of("minimum, maximum", f"be whole numbers, 1 <= minimum <= maximum <= {MOST_WORDS:,}", given)
    more = f"{{{minimum - 1},{'' if maximum is None else maximum - 1}}}"
    exact = f"={minimum}" if minimum == maximum else f"{minimum}-{'' if maximum is None else maximum}"
    said = bounds_in_words(minimum, maximum, "words")
    return full_pattern(rf"\S+(?:\s+\S+){more}", label=f"words({exact})", words=said)
