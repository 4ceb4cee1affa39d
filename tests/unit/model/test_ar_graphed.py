"""The twin with static shapes against its plain steps; on a CPU nothing is captured, but all else is the same."""

from __future__ import annotations

import pytest
import torch

from controldag.model.twin.forward import FastTwin
from controldag.model.twin.predict import GraphedSpeaker, Saying, StepSpeaker
from tests.unit.model.test_ar_inference import twin

IDS = [[4, 5, 6, 9, 11, 1], [7, 8, 1], [5, 5, 30, 1], [9, 1]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "how",
    [
        Saying(),
        Saying(max_length=20),
        Saying(lengths=[5, 40, 2, 17]),
        Saying(4, max_length=128),
        Saying(3, [[[[7, 8]], [[9]]], [[[20, 21, 22], [5]]], [], [[[30]]]], max_length=128),
        Saying(3, lengths=[5, 20, 3, 9]),
    ],
)
def test_static_shapes_change_nothing(seed: int, how: Saying) -> None:
    fast = FastTwin(twin(seed, tied_head=False))
    graphed = GraphedSpeaker(fast)
    wanted = StepSpeaker(fast, torch.device("cpu")).say(IDS, how)
    for _ in range(2):  # the second time the buffers hold what the first left
        for found, other in zip(graphed.say(IDS, how), wanted, strict=True):
            assert found.tokens == [token for token in other.tokens if token != 0]
            assert found.log_probability == pytest.approx(other.log_probability, abs=1e-3)
            assert found.satisfied == other.satisfied


def test_a_beam_starts_anew_with_other_constraints_of_the_same_shape() -> None:
    fast = FastTwin(twin(6, tied_head=False))
    graphed, plain = GraphedSpeaker(fast), StepSpeaker(fast, torch.device("cpu"))
    for phrases in ([[7, 8]], [[9, 4]], [[30, 31]]):
        how = Saying(3, [[phrases]] * 4, max_length=128)
        found, wanted = graphed.say(IDS, how), plain.say(IDS, how)
        assert [each.tokens for each in found] == [each.tokens for each in wanted]
        assert all(each.satisfied for each in found)


def test_a_bare_step_takes_time() -> None:
    assert GraphedSpeaker(FastTwin(twin(1))).bare_step_ms(IDS[0]) > 0
