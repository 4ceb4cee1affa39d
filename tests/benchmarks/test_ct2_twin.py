"""The twin in CTranslate2 says what ours says."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.model.twin.forward import FastTwin
from controldag.model.twin.predict import Saying, StepSpeaker
from tests.unit.model.test_ar_graphed import IDS
from tests.unit.model.test_ar_inference import twin

pytest.importorskip("ctranslate2")

from benchmarks.end_to_end.ct2_twin import Ct2Speaker


@pytest.mark.parametrize("changes", [{}, {"tied_head": False}, {"scaled_head": False}])
def test_greedy_is_the_same(changes: dict[str, Any]) -> None:
    model, how = twin(1, **changes), Saying(max_length=12)
    ours = StepSpeaker(FastTwin(model), torch.device("cpu")).say(IDS, how)
    assert [each.tokens for each in Ct2Speaker(model, "float32").say(IDS, how)] == [each.tokens for each in ours]


def test_it_has_one_length_a_batch_and_knows_no_phrases() -> None:
    speaker = Ct2Speaker(twin(2))
    assert [len(each.tokens) for each in speaker.say(IDS, Saying(3, lengths=[5, 9, 2, 4]))] == [8] * 4
    with pytest.raises(InvalidInput, match="CTranslate2"):
        speaker.say(IDS, Saying(3, [[[[5]]]] * 4))
