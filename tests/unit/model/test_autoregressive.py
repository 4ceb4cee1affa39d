"""The autoregressive twin: cache against full pass, greedy and beam against enumeration, constraints always kept."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config
from controldag.model.twin.constrained_beam import BeamOptions, beam_search
from controldag.model.twin.network import ART5ForGeneration
from controldag.model.twin.phrase_tables import Constraint, InOrder, automaton


def _model(seed: int = 0, vocabulary: int = 9, **changes: Any) -> ART5ForGeneration:
    torch.manual_seed(seed)
    sizes: dict[str, Any] = {"d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 1, "num_decoder_layers": 2}
    config = ART5Config(vocab_size=vocabulary, num_heads=4, bos_token_id=3, tied_head=False, **(sizes | changes))
    return ART5ForGeneration(config).eval()


SOURCES = torch.tensor([[4, 5, 6, 1], [7, 8, 1, 0], [5, 5, 1, 0]])


def _log_probability(model: ART5ForGeneration, source: torch.Tensor, tokens: list[int], *, ended: bool = True) -> float:
    """Sum of the tokens' log-probabilities from one full pass, without a cache."""
    sequence = torch.tensor([[3, *tokens, *([1] if ended else [])]])
    mask = source[None] != 0
    with torch.no_grad():
        features = model.features(sequence[:, :-1], model.encode(source[None], mask), mask)
        scaled, weight = model.head_inputs(features)
        scores = torch.log_softmax(scaled @ weight.T, -1)
    return float(scores[0].gather(1, sequence[0, 1:, None]).sum())


def test_cached_steps_equal_one_full_pass() -> None:
    model = _model()
    targets = [4, 7, 8, 5]
    cache = model.start(SOURCES, 8)
    total = torch.zeros(3)
    token = torch.full((3,), 3)
    with torch.no_grad():
        for wanted in [*targets, 1]:
            scores = model.step(token, cache)
            token = torch.full((3,), wanted)
            total += scores.gather(1, token[:, None]).squeeze(1)
    for row in range(3):
        assert float(total[row]) == pytest.approx(_log_probability(model, SOURCES[row], targets), abs=1e-4)


def test_the_loss_is_the_mean_cost_of_a_token() -> None:
    model = _model()
    labels = torch.tensor([[3, 4, 5, 1], [3, 6, 1, 0], [3, 1, 0, 0]])
    out = model(SOURCES, labels)
    costs = [-_log_probability(model, SOURCES[i], t) for i, t in enumerate([[4, 5], [6], []])]
    assert out.loss.item() == pytest.approx(sum(costs) / 6, abs=1e-4)


def test_the_fused_loss_equals_the_plain_one() -> None:
    labels = torch.tensor([[3, 4, 5, 1], [3, 6, 1, 0], [3, 1, 0, 0]])
    for smoothing in (0.0, 0.1):
        plain, fused = _model(), _model()
        fused.use_fused_loss()
        for model in (plain, fused):
            model.label_smoothing = smoothing
            model(SOURCES, labels).loss.backward()
        assert plain.embedding.weight.grad is not None
        torch.testing.assert_close(plain.embedding.weight.grad, fused.embedding.weight.grad)


def test_greedy_in_a_batch_equals_greedy_alone() -> None:
    model = _model(3)
    together = model.greedy(SOURCES, max_length=12)
    for row, length in enumerate([4, 3, 3]):
        assert together[row] == model.greedy(SOURCES[row : row + 1, :length], max_length=12)[0]


def test_one_beam_is_greedy() -> None:
    model = _model(3)
    found = beam_search(model, SOURCES, BeamOptions(beams=1, length_penalty=0.0, max_length=12))
    for hypothesis, wanted in zip(found, model.greedy(SOURCES, max_length=12), strict=True):
        assert hypothesis.tokens == wanted[: len(hypothesis.tokens)]


@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_a_wide_beam_finds_the_best_of_all_sequences(penalty: float) -> None:
    model = _model(1, vocabulary=7)
    found = beam_search(
        model, SOURCES.clamp_max(6), BeamOptions(beams=300, length_penalty=penalty, max_length=5, patient=True)
    )
    for row in range(3):
        best = max(
            (_log_probability(model, SOURCES[row].clamp_max(6), list(tokens)) / (len(tokens) + 1) ** penalty, tokens)
            for length in range(4)
            for tokens in itertools.product((2, 4, 5, 6), repeat=length)
        )
        assert tuple(found[row].tokens) == best[1]
        assert found[row].log_probability / (len(best[1]) + 1) ** penalty == pytest.approx(best[0], abs=1e-4)


def test_a_wide_constrained_beam_finds_the_best_sequence_that_keeps_the_constraints() -> None:
    model = _model(2, vocabulary=7)
    sources = SOURCES.clamp_max(6)
    constraints = [[[[4, 5]]], [[[6], [5, 5]]], [[[4]], [[6, 4], [5]]]]
    options = BeamOptions(beams=300, length_penalty=1.0, max_length=5, patient=True)
    found = beam_search(model, sources, options, constraints)
    for row in range(3):
        best = max(
            (_log_probability(model, sources[row], list(tokens)) / (len(tokens) + 1), tokens)
            for length in range(4)
            for tokens in itertools.product((2, 4, 5, 6), repeat=length)
            if _kept(list(tokens), constraints[row])
        )
        assert found[row].satisfied and tuple(found[row].tokens) == best[1]


def _kept(tokens: list[int], constraints: list[list[list[int]]]) -> bool:
    def holds(phrase: list[int]) -> bool:
        return any(tokens[i : i + len(phrase)] == phrase for i in range(len(tokens)))

    return all(any(holds(phrase) for phrase in constraint) for constraint in constraints)


phrases = st.lists(st.integers(4, 8), min_size=1, max_size=3)
constraint = st.lists(phrases, min_size=1, max_size=2)


@settings(max_examples=25, deadline=None)
@example([[], [], [[[4, 5]], [[4, 6]]]], 1)
@given(st.lists(st.lists(constraint, max_size=3), min_size=3, max_size=3), st.integers(1, 6))
def test_every_constraint_is_kept(constraints: list[list[list[list[int]]]], beams: int) -> None:
    model = _model(4)
    found = beam_search(model, SOURCES, BeamOptions(beams=beams, max_length=24), constraints)
    for row, hypothesis in enumerate(found):
        assert hypothesis.satisfied
        assert _kept(hypothesis.tokens, constraints[row])
        assert hypothesis.log_probability <= 1e-6
        if len(hypothesis.tokens) < 23:
            whole = _log_probability(model, SOURCES[row], hypothesis.tokens)
            assert hypothesis.log_probability == pytest.approx(whole, abs=1e-3)


@settings(max_examples=200, deadline=None)
@given(constraint, st.lists(st.integers(4, 8), max_size=12))
def test_the_automaton_ends_where_an_alternative_has_occurred(alternatives: list[list[int]], tokens: list[int]) -> None:
    for i, ended in enumerate(_ended(alternatives, tokens)):
        assert ended == _kept(tokens[: i + 1], [alternatives])


@settings(max_examples=200, deadline=None)
@given(st.lists(constraint, min_size=1, max_size=3), st.lists(st.integers(4, 8), max_size=12))
def test_in_order_ends_where_the_stages_stood_one_behind_another(
    stages: list[list[list[int]]], tokens: list[int]
) -> None:
    for i, ended in enumerate(_ended(InOrder(stages), tokens)):
        assert ended == _in_turn(tokens[: i + 1], stages)


def _ended(constraint: Constraint, tokens: list[int]) -> list[bool]:
    """Whether the automaton is at its end after each token."""
    made, state, ended = automaton(constraint), 0, []
    for token in tokens:
        state = made.moves[state].get(token, made.back[state])
        ended.append(state == made.final)
    return ended


def _in_turn(tokens: list[int], stages: list[list[list[int]]]) -> bool:
    return not stages or any(
        tokens[i : i + len(phrase)] == phrase and _in_turn(tokens[i + len(phrase) :], stages[1:])
        for phrase in stages[0]
        for i in range(len(tokens))
    )


def test_bad_constraints_are_refused() -> None:
    model = _model()
    for constraints in ([[]], [[[[]]], [], []], [[[[99]]], [], []], [[[]], [], []]):
        with pytest.raises(InvalidInput, match="constraints"):
            beam_search(model, SOURCES, BeamOptions(), constraints)
