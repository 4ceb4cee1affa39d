"""The twin's fast decoder against the model's own steps."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from controldag.model.definition.config import ART5Config
from controldag.model.twin.constrained_beam import BeamOptions, beam_search
from controldag.model.twin.forward import FastTwin
from controldag.model.twin.network import ART5ForGeneration
from controldag.model.twin.steps import greedy


def twin(seed: int = 0, **changes: Any) -> ART5ForGeneration:
    torch.manual_seed(seed)
    sizes: dict[str, Any] = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_decoder_layers": 2}
    config = ART5Config(vocab_size=60, num_heads=4, bos_token_id=3, **(sizes | changes))
    return ART5ForGeneration(config).eval()


SOURCES = torch.tensor([[4, 5, 6, 9, 11, 1], [7, 8, 1, 0, 0, 0], [5, 5, 30, 1, 0, 0]])


@pytest.mark.parametrize("changes", [{}, {"tied_head": False}, {"scaled_head": False}, {"gated_ffn": True}])
def test_steps_equal_the_models_own(changes: dict[str, Any]) -> None:
    model = twin(1, **changes)
    fast = FastTwin(model)
    ours, theirs = fast.start(SOURCES, 40, 2), model.start(SOURCES, 40, 2)
    draw = torch.Generator().manual_seed(2)
    tokens = torch.full((6,), 3)
    with torch.inference_mode():
        for place in range(39):
            found, wanted = fast.step(tokens, ours), model.step(tokens, theirs)
            torch.testing.assert_close(found, wanted, atol=2e-4, rtol=0)
            tokens = torch.randint(4, 60, (6,), generator=draw)
            if place % 7 == 3:
                rows = torch.tensor([1, 0, 2, 2, 5, 5])
                ours.reorder(rows)
                theirs.reorder(rows)


@pytest.mark.parametrize("seed", range(3))
def test_greedy_and_beam_say_the_same(seed: int) -> None:
    model = twin(seed)
    fast = FastTwin(model)
    assert [each.tokens for each in greedy(fast, SOURCES, 30)] == model.greedy(SOURCES, 30)
    constraints = [[[[7, 8]], [[9]]], [[[20, 21, 22]]], []]
    options = BeamOptions(beams=4, max_length=30)
    for found, wanted in zip(
        beam_search(fast, SOURCES, options, constraints), beam_search(model, SOURCES, options, constraints), strict=True
    ):
        assert found.tokens == wanted.tokens and found.satisfied == wanted.satisfied
        assert found.log_probability == pytest.approx(wanted.log_probability, abs=1e-3)


def test_a_log_probability_is_the_sum_over_the_tokens() -> None:
    model = twin(4)
    found = greedy(model, SOURCES[:1], 20)[0]
    tokens = torch.tensor([[3, *found.tokens, 1][:20]])
    mask = SOURCES[:1] != 0
    with torch.no_grad():
        features = model.features(tokens[:, :-1], model.encode(SOURCES[:1], mask), mask)
        scaled, weight = model.head_inputs(features)
        scores = torch.log_softmax(scaled @ weight.T, -1)[0].gather(1, tokens[0, 1:, None])
    assert found.log_probability == pytest.approx(float(scores.sum()), abs=1e-3)


def test_lengths_asked_for_are_kept() -> None:
    fast, wanted = FastTwin(twin(5)), [5, 9, 2]
    assert [len(each.tokens) + 1 for each in greedy(fast, SOURCES, 30, lengths=wanted)] == wanted
    found = beam_search(fast, SOURCES, BeamOptions(beams=3, max_length=30, lengths=wanted))
    assert [len(each.tokens) + 1 for each in found] == wanted
