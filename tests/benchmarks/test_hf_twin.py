"""The twin inside transformers: the same logits, the same outputs, and our searches on top of it."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from benchmarks.end_to_end.hf_twin import HfSpeaker, to_transformers
from controldag.model.twin.forward import FastTwin
from controldag.model.twin.predict import Saying, StepSpeaker
from tests.unit.model.test_ar_inference import SOURCES, twin

IDS = [[token for token in row if token] for row in SOURCES.tolist()]


@pytest.mark.parametrize("changes", [{}, {"tied_head": False}, {"scaled_head": False}, {"gated_ffn": True}])
def test_the_logits_are_the_same(changes: dict[str, Any]) -> None:
    model = twin(1, **changes)
    targets, mask = torch.randint(4, 60, (3, 9)), SOURCES != 0
    with torch.no_grad():
        scaled, weight = model.head_inputs(model.features(targets, model.encode(SOURCES, mask), mask))
        theirs = to_transformers(model)(input_ids=SOURCES, attention_mask=mask.long(), decoder_input_ids=targets)
    torch.testing.assert_close(theirs.logits, scaled @ weight.T, atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize("beams", [1, 3])
def test_generate_says_what_our_search_says(beams: int) -> None:
    for seed in range(3):
        model = twin(seed, tied_head=False, num_layers=1 + seed)
        how = Saying(beams, max_length=16)
        ours = StepSpeaker(FastTwin(model), torch.device("cpu")).say(IDS, how)
        theirs = HfSpeaker(model).say(IDS, how)
        if beams == 1:
            assert [each.tokens for each in theirs] == [each.tokens for each in ours]
        else:  # their beam keeps finished hypotheses by another rule, so that it may differ, but it must speak
            assert all(0 <= token < 60 for each in theirs for token in each.tokens)


def test_our_constrained_beam_over_their_model_equals_that_over_ours() -> None:
    model = twin(2, num_layers=1)
    how = Saying(4, [[[[7, 8]], [[9]]], [[[20, 21, 22], [5]]], []], max_length=24)
    ours = StepSpeaker(FastTwin(model), torch.device("cpu")).say(IDS, how)
    theirs = HfSpeaker(model).say(IDS, how)
    assert [each.tokens for each in theirs] == [each.tokens for each in ours]
    assert all(each.satisfied for each in theirs)


def test_lengths_asked_for_are_kept() -> None:
    speaker = HfSpeaker(twin(3))
    for beams in (1, 3):
        assert [len(e.tokens) for e in speaker.say(IDS[:1], Saying(beams, lengths=[7]))] == [7]
        assert [len(e.tokens) for e in speaker.say(IDS, Saying(beams, lengths=[7, 3, 9]))] == [6, 2, 8]
