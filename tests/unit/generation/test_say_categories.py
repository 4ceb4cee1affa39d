"""Values of categorical slots are said where the settings ask for it, in upper or lower case."""

from __future__ import annotations

import pytest

from controldag.checkpoint.knowledge import Knowledge
from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints.check import satisfies
from controldag.data.records import Act, Example
from controldag.generation.demands import demands_of
from tests.unit.data.test_phrases import SCHEMA

TURN = Example(id="t", service="Trains_1", acts=(Act("OFFER", "to", ("Davis",)), Act("OFFER", "class", ("Business",))))


@pytest.mark.parametrize(
    ("say", "text", "holds"),
    [
        (True, "Go to Davis in business class.", True),
        (True, "Go to Davis in Business class.", True),
        (True, "Go to Davis.", False),
        (True, "Go to davis in business class.", False),
        (False, "Go to Davis.", True),
    ],
)
def test_a_category_is_said_in_any_case_and_a_name_in_its_own(say: bool, text: str, holds: bool) -> None:
    demands = demands_of(TURN, None, GenerationSettings(task="acts", say_categories=say), Knowledge(schema=SCHEMA))
    assert satisfies(demands.constraint, text) is holds


def test_every_vertex_offers_both_spellings_and_the_graph_has_room() -> None:
    demands = demands_of(TURN, None, GenerationSettings(task="acts", say_categories=True), Knowledge(schema=SCHEMA))
    assert demands.keep == ("Davis", "Business", "business")
    assert demands.room_for == ("Davis", "Business")
