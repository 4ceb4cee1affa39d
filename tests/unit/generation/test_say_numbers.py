"""Numbers that no slot error rate looks for are said all the same."""

from __future__ import annotations

import pytest

from controldag.checkpoint.knowledge import Knowledge
from controldag.checkpoint.settings import GenerationSettings
from controldag.data.records import Act, Example
from controldag.generation.demands import required_phrases
from tests.unit.data.test_phrases import SCHEMA

TURN = Example(
    id="t",
    service="Trains_1",
    acts=(Act("OFFER", "to", ("Davis",)), Act("OFFER", "class", ("2",)), Act("INFORM_COUNT", "count", ("2",))),
)


@pytest.mark.parametrize(("say", "wanted"), [(False, ("Davis",)), (True, ("Davis", "2", "2"))])
def test_each_number_is_required_for_each_slot_that_has_it(say: bool, wanted: tuple[str, ...]) -> None:
    settings = GenerationSettings(task="acts", say_numbers=say)
    assert required_phrases(TURN, settings, Knowledge(schema=SCHEMA)) == wanted
