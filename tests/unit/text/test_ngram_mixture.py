"""A mixture of two n-gram models: probabilities that sum to one, and lie where the two put them."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from controldag.errors import InvalidInput
from controldag.text.ngram_mixture import mixed
from controldag.text.ngram_model import NgramModel, estimate

TOKENS = 6


def model(seed: int, least: int = 1) -> NgramModel:
    chance = random.Random(seed)
    texts = [[min(TOKENS - 2, int(chance.expovariate(0.7))) for _ in range(chance.randint(1, 9))] for _ in range(30)]
    return estimate(texts, order=3, vocabulary=TOKENS, least=least)


@pytest.mark.parametrize("least", [1, 2])
def test_the_probabilities_after_every_context_sum_to_one(least: int) -> None:
    made = mixed(model(1), model(2, least), 0.3)
    for length in range(3):
        for context in itertools.product(range(TOKENS), repeat=length):
            total = sum(math.exp(-made.cost(context, token)) for token in range(TOKENS))
            assert total <= 1 + 1e-5, context
            if made.backoffs.get(context) != 0:  # a sum below one is the price of a back-off that may not be a gain
                assert total == pytest.approx(1, abs=1e-5), context
    assert all(cost >= 0 for cost in made.backoffs.values())


def test_what_either_lists_has_the_mean_probability() -> None:
    one, other = model(1), model(2)
    made = mixed(one, other, 0.25)
    assert made.costs.keys() == one.costs.keys() | other.costs.keys()
    for *context, token in made.costs:
        wanted = 0.25 * math.exp(-one.cost(context, token)) + 0.75 * math.exp(-other.cost(context, token))
        assert math.exp(-made.cost(context, token)) == pytest.approx(wanted)


def test_a_model_mixed_with_itself_is_itself() -> None:
    one = model(3)
    made = mixed(one, one, 0.5)
    for length in range(3):
        for context in itertools.product(range(TOKENS), repeat=length):
            for token in range(TOKENS):
                assert made.cost(context, token) == pytest.approx(one.cost(context, token), abs=1e-4)


def test_a_share_beyond_one_is_refused() -> None:
    with pytest.raises(InvalidInput, match="`share`"):
        mixed(model(1), model(2), 1.5)
