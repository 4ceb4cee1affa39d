"""How long the text should be: an argument of the search, not a member of the constraint algebra."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controldag.errors import InvalidInput

_LARGEST_EXPONENT = 300.0


@dataclass(frozen=True, slots=True)
class Length:
    """What a good length is; lengths count surface tokens + 1 (for `</s>`).

    target, strictness: the length penalty LP of Control-DAG Eqs. 3 and 4 (L_tgt and A): a string of length
        l < target has its cost multiplied by exp(strictness * (target / l - 1)).
    minimum, maximum, exact: hard bounds.
    normalisation: the cost is divided by length ** normalisation (joint Viterbi's β, Shao et al. 2022).
    """

    target: float | None = None
    strictness: float = 1.0
    minimum: int | None = None
    maximum: int | None = None
    exact: int | None = None
    normalisation: float = 0.0

    def __post_init__(self) -> None:
        for name in ("target", "minimum", "maximum", "exact"):
            value = getattr(self, name)
            if value is not None and not 1 <= value < math.inf:
                raise InvalidInput.of(name, "be at least 1", value)
            if name != "target" and value is not None and value != int(value):
                raise InvalidInput.of(name, "be a whole number", value)
        for name in ("strictness", "normalisation"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise InvalidInput.of(name, "be at least 0", value)
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise InvalidInput.of("minimum", f"be at most maximum ({self.maximum})", self.minimum)

    @property
    def is_hard(self) -> bool:
        """Whether no length is merely better than another (bounds alone)."""
        return (self.target is None or self.strictness == 0) and self.normalisation == 0

    def allows(self, length: int) -> bool:
        """Whether a text of that length keeps the hard bounds; a target is a wish."""
        if self.exact is not None and length != self.exact:
            return False
        return (self.minimum or 1) <= length <= (length if self.maximum is None else self.maximum)

    @property
    def label(self) -> str:
        """How verdicts name the hard bounds; empty where there are none."""
        if self.exact is not None:
            return f"length(={self.exact})"
        if self.minimum is None and self.maximum is None:
            return ""
        return f"length({self.minimum or 1}-{'' if self.maximum is None else self.maximum})"

    @property
    def in_words(self) -> str:
        """The hard bounds for people; empty where there are none."""
        low, high = (self.exact, self.exact) if self.exact is not None else (self.minimum, self.maximum)
        return "" if low is None and high is None else bounds_in_words(low or 1, high, "tokens")

    def weights(self, longest: int) -> NDArray[np.float64]:
        """By length 0 … `longest`: what a string's cost is multiplied by; infinite where it is not allowed."""
        length = np.maximum(np.arange(longest + 1, dtype=np.float64), 1.0)
        # In the log domain and clipped: a preference, however strong, must neither forbid a length nor make it free.
        exponent = np.zeros(longest + 1)
        if self.target is not None:
            exponent += self.strictness * np.maximum(self.target / length - 1, 0.0)
        exponent -= self.normalisation * np.log(length)
        weight = np.exp(np.clip(exponent, -_LARGEST_EXPONENT, _LARGEST_EXPONENT))
        lowest = int(max(self.minimum or 1, self.exact or 1))
        highest = int(min(self.maximum or longest, self.exact or longest))
        weight[: min(lowest, longest + 1)] = np.inf
        weight[highest + 1 :] = np.inf
        return weight


def bounds_in_words(minimum: int, maximum: int | None, unit: str) -> str:
    """`have 8 to 12 words`."""
    if maximum is None:
        return f"have at least {minimum} {unit}"
    if minimum == maximum:
        return f"have exactly {minimum} {unit}"
    return f"have at most {maximum} {unit}" if minimum == 1 else f"have {minimum} to {maximum} {unit}"


@lru_cache(maxsize=1024)
def weights_for(length: Length | None, vertices: int) -> NDArray[np.float64]:
    """The weights for a lattice of so many vertices; empty when no length is better than another."""
    if length is None or (
        length.is_hard and length.minimum is None and length.maximum is None and length.exact is None
    ):
        return np.empty(0)
    weights = length.weights(vertices - 1)
    weights.flags.writeable = False  # it is shared by all searches of this length
    return weights
