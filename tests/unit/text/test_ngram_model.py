"""The n-gram model: proper distributions, and the engine's automaton against the obvious reading."""

import math
import random

import pytest

from controldag import _core
from controldag.errors import InvalidInput
from controldag.lattice import make_lattice
from controldag.search.exact import best_strings
from controldag.search.weights import NgramWeights
from controldag.text.ngram_model import NgramModel, estimate

VOCABULARY = 7


def corpus(seed: int) -> list[list[int]]:
    chance = random.Random(seed)
    return [[chance.randrange(VOCABULARY - 1) for _ in range(chance.randint(1, 6))] for _ in range(40)]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_of_every_context_sum_to_one(order: int) -> None:
    model = estimate(corpus(order), order=order, vocabulary=VOCABULARY)
    contexts = {(), *(ngram[:-1] for ngram in model.costs), (6, 6), (0, 1, 2, 3, 4)}
    for context in contexts:
        total = sum(math.exp(-model.cost(context, token)) for token in range(VOCABULARY))
        assert total == pytest.approx(1.0, abs=1e-9), context


def test_hand_computed_bigram() -> None:
    # "0 1" twice and "0 2" once: after 0, discount 0.5 (no count of 2 or 1 alone makes n1/(n1+2n2) = 1/3).
    model = estimate([[0, 1], [0, 1], [0, 2]], order=2, vocabulary=3)
    discount = 1 / 3
    unigram_discount = 0.5  # no unigram was counted twice: 0 three times (starts), 1 and 2 once each
    unigram = {0: (3 - unigram_discount) / 5, 1: (1 - unigram_discount) / 5, 2: (1 - unigram_discount) / 5}
    rest = unigram_discount * 3 / 5 / 3
    expected = (2 - discount) / 3 + discount * 2 / 3 * (unigram[1] + rest)
    assert math.exp(-model.cost((0,), 1)) == pytest.approx(expected)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_engine_agrees_with_the_obvious_reading(order: int) -> None:
    model = estimate(corpus(9), order=order, vocabulary=VOCABULARY)
    weights = NgramWeights.language_model(model.costs, model.backoffs, unknown=model.unknown, scale=0.7)
    surfaces = [f" w{i}".encode() for i in range(VOCABULARY)]
    chance = random.Random(order)
    for _ in range(200):
        tokens = [chance.randrange(VOCABULARY) for _ in range(chance.randint(1, 8))]
        lattice = make_lattice([[], *([(t, 0.25)] for t in tokens), []], chain(len(tokens) + 2), surfaces)
        (found,) = best_strings(lattice, weights=weights)
        expected = 0.25 * len(tokens) + 0.7 * text_cost(model, tokens)
        assert found.cost == pytest.approx(expected, rel=1e-5)


def test_aliases_count_as_one_token_here_and_in_the_engine() -> None:
    aliases = {5: 4, 3: 4}
    model = estimate(corpus(3), order=3, vocabulary=VOCABULARY, aliases=aliases)
    assert not {3, 5} & {token for ngram in model.costs for token in ngram}
    assert model.cost((1, 3), 5) == model.cost((1, 4), 4) == model.cost((1, 5), 3)
    surfaces = [f" w{i}".encode() for i in range(VOCABULARY)]
    weights = NgramWeights.language_model(model.costs, model.backoffs, unknown=model.unknown, aliases=model.aliases)
    for tokens in corpus(4):
        lattice = make_lattice([[], *([(t, 0.25)] for t in tokens), []], chain(len(tokens) + 2), surfaces)
        (found,) = best_strings(lattice, weights=weights)
        assert found.cost == pytest.approx(0.25 * len(tokens) + text_cost(model, tokens), rel=1e-5)


def test_a_request_can_say_which_token_counts_as_which() -> None:
    model = estimate(corpus(3), order=3, vocabulary=VOCABULARY)
    surfaces = [f" w{i}".encode() for i in range(VOCABULARY)]
    shared = NgramWeights.language_model(model.costs, model.backoffs, unknown=model.unknown, aliases={2: 1})
    for aliases in ({5: 4, 3: 4}, {5: 2}, {}):
        weights = shared.seen_as(aliases)
        for tokens in corpus(4):
            lattice = make_lattice([[], *([(t, 0.25)] for t in tokens), []], chain(len(tokens) + 2), surfaces)
            (found,) = best_strings(lattice, weights=weights)
            seen = [{2: 1}.get(each, each) for each in (aliases.get(t, t) for t in tokens)]
            assert found.cost == pytest.approx(0.25 * len(tokens) + text_cost(model, seen), rel=1e-5)
    with pytest.raises(InvalidInput, match="aliases"):
        shared.seen_as({1 << 25: 1})


def chain(vertices: int) -> list[list[tuple[int, float]]]:
    return [[(v + 1, 0.0)] for v in range(vertices - 1)] + [[]]


def text_cost(model: NgramModel, tokens: list[int]) -> float:
    return sum(model.cost(tokens[:i], token) for i, token in enumerate(tokens))


def test_gains_are_taken_off_for_every_occurrence() -> None:
    weights = NgramWeights.gains({(0,): 1.0, (0, 0): 0.5, (1, 0, 0): 10.0})
    lattice = make_lattice([[], [(1, 0.0)], [(0, 0.0)], [(0, 0.0)], []], chain(5), [b"a", b"b"])
    (found,) = best_strings(lattice, weights=weights)
    assert found.cost == pytest.approx(-(2 * 1.0 + 0.5 + 10.0))


def test_bad_input() -> None:
    with pytest.raises(InvalidInput, match="order"):
        estimate([], order=0, vocabulary=3)
    with pytest.raises(InvalidInput, match="finite"):
        NgramWeights.gains({(1,): math.inf})
    with pytest.raises(InvalidInput, match="scale"):
        _core.backoff_weights([], [], 1.0, -1.0)
    with pytest.raises(InvalidInput, match="aliases"):
        _core.backoff_weights([], [], 1.0, 1.0, [(1 << 24, 0)])
