"""Every subject and object is said where the settings ask for it; otherwise those that people always repeat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controldag.checkpoint.folder import BUNDLED
from controldag.checkpoint.knowledge import Knowledge
from controldag.checkpoint.settings import FILE, GenerationSettings
from controldag.constraints.check import satisfies
from controldag.data.occurrence import OccurrenceRules, RelationRole
from controldag.data.records import Example, Triple
from controldag.generation.demands import demands_of

FACTS = Example(
    id="t",
    triples=(
        Triple("Ada_Inn", "food", "Thai"),
        Triple("Ada_Inn", "familyFriendly", "yes"),
        Triple("[TABLECONTEXT]", "near", "the Mill"),
    ),
)
RULES = OccurrenceRules({RelationRole("food", "subject"): 10})


@pytest.mark.parametrize(
    ("say", "text", "holds"),
    [
        (True, "Ada Inn near The Mill serves thai food.", True),
        (True, "Ada Inn serves thai food.", False),
        (True, "Near the Mill they serve Thai food.", False),
        (False, "Ada Inn is good.", True),
        (False, "Thai food near the Mill.", False),
    ],
)
def test_ends(say: bool, text: str, holds: bool) -> None:
    settings = GenerationSettings(
        task="triples", say_ends=say, ignore_case=True, whole_word=False, own_occurrence=False, vocabulary=False
    )
    demands = demands_of(FACTS, None, settings, Knowledge(rules=RULES))
    assert satisfies(demands.constraint, text) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Toyota makes the Toyota Corolla.", True),
        ("The Toyota Corolla is a car.", False),
        ("Toyotas are like the Toyota Corolla.", False),
        ("The TOYOTA COROLLA is made by toyota.", True),
    ],
)
def test_the_bundled_model_takes_no_name_inside_another_for_said(text: str, holds: bool) -> None:
    settings = replace(GenerationSettings.load(BUNDLED / "dart-mini" / FILE), vocabulary=False)
    car = Example(id="t", triples=(Triple("Toyota_Corolla", "manufacturer", "Toyota"),))
    assert satisfies(demands_of(car, None, settings, Knowledge()).constraint, text) is holds
