"""How long a text will be, from what its input says: facts, values and tokens, each with a weight learnt from training.

Unlike the length of the input alone (text/length.py), this does not grow with descriptions that nobody repeats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag.data.full_input import FACT
from controldag.errors import InvalidInput
from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import BLANK_MARK, Tokenizer

ACTS, TRIPLES = "acts", "triples"
SHORTEST = 4.0
"""No text is expected to be shorter, in tokens, `<s>` and `</s>` counted."""


@dataclass(frozen=True, slots=True)
class InputCounts:
    """What an input holds: tokens (`</s>` counted), facts, and marks of values."""

    tokens: int
    facts: int
    values: int


class InputReader:
    """Counts what full inputs hold, by their tokens; marks before number `first_word` are those of values."""

    def __init__(self, tokenizer: Tokenizer, first_word: int) -> None:
        facts = (tokenizer.id_of(piece) for piece in (FACT, BLANK_MARK + FACT))
        self._facts = frozenset(token for token in facts if token is not None)
        self._values = MarkTokens(tokenizer).of_values(first_word)

    def counts(self, ids: Sequence[int]) -> InputCounts:
        """Of the tokens of one input, `</s>` included."""
        facts, values = (sum(token in wanted for token in ids) for wanted in (self._facts, self._values))
        return InputCounts(len(ids), facts, values)


@dataclass(frozen=True, slots=True)
class ExpectedLength:
    """By kind of input (acts, triples), the weights of 1, tokens, facts and values."""

    weights: Mapping[str, Sequence[float]]

    @classmethod
    def fit(cls, counts: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]) -> ExpectedLength:
        """Least squares for each kind by itself: counts [n, 3] (tokens, facts, values) and lengths [n] of the texts."""
        weights: dict[str, list[float]] = {}
        for kind, (found, lengths) in counts.items():
            # A little ridge: where all inputs have one fact, its weight cannot be told from the constant.
            table = np.column_stack([np.ones(len(found)), found]).astype(np.float64)
            normal = table.T @ table + 1e-3 * len(table) * np.diag([0.0, 1.0, 1.0, 1.0])
            weights[kind] = [round(float(w), 4) for w in np.linalg.solve(normal, table.T @ lengths.astype(np.float64))]
        return cls(weights)

    def of(self, kind: str, counts: InputCounts) -> float:
        """The number of tokens to expect, `<s>` and `</s>` counted."""
        return float(self.of_all(kind, np.array([[counts.tokens, counts.facts, counts.values]]))[0])

    def of_all(self, kind: str, counts: NDArray[np.int64]) -> NDArray[np.float32]:
        """The numbers of tokens [n] to expect for counts [n, 3]."""
        if kind not in self.weights:
            raise InvalidInput.of("kind", f"be one of {', '.join(self.weights)}", kind)
        constant, *others = self.weights[kind]
        found: NDArray[np.float32] = np.maximum(SHORTEST, constant + counts @ np.array(others)).astype(np.float32)
        return found
