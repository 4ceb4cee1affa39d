"""The length that is expected of a text, from what its input holds."""

from __future__ import annotations

import numpy as np
import pytest

from controldag.errors import InvalidInput
from controldag.text.expected_length import SHORTEST, ExpectedLength, InputCounts, InputReader
from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer


def test_a_rule_in_the_data_is_found() -> None:
    counts = np.random.default_rng(1).integers(1, 9, (4000, 3))
    lengths = 2 + 0 * counts[:, 0] + 5 * counts[:, 1] + 1 * counts[:, 2]
    expected = ExpectedLength.fit({"acts": (counts, lengths)})
    assert expected.of("acts", InputCounts(tokens=90, facts=3, values=2)) == pytest.approx(19, abs=0.5)
    assert expected.of("acts", InputCounts(0, 0, 0)) == SHORTEST
    with pytest.raises(InvalidInput, match="acts"):
        expected.of("triples", InputCounts(1, 1, 1))


def test_facts_and_marks_of_values_are_counted() -> None:
    texts = ["system hotels <h> offer <r> name <t> <v0> Oak <h> offer <r> <v2> rating <t> <v1> 5"]
    tokenizer = Tokenizer(train_tokenizer(texts * 5, TokenizerOptions(size=293, marks=4)))
    ids = [*tokenizer.encode(texts[0]), 1]
    assert InputReader(tokenizer, 2).counts(ids) == InputCounts(len(ids), facts=2, values=2)
