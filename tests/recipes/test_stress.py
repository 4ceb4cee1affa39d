"""The stress suite on turns of our own: what each variant changes, and that every text is checked."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from controldag.checkpoint.folder import has_weights
from controldag.data.phrases import hard_phrases
from controldag.data.records import Act, Example
from controldag.data.schema import Schema, Service, Slot
from controldag.evaluation.system_outputs import Output, Outputs
from controldag.metrics.background import Background
from controldag.pipeline import ControlDag
from recipes.stress.counts import MOST, change_of_count, value_pools
from recipes.stress.schemas import LEVELS, Paraphrase
from recipes.stress.suite import Stressed, StressOptions, report, run_suite, variants
from recipes.stress.values import LONGEST, changes_of_values, kinds
from recipes.stress.variant import Variant

SLOTS = ("restaurant_name", "city", "street_address", "time")
SCHEMA = Schema(
    {
        "Restaurants_1": Service(
            "Restaurants_1",
            slots={slot: Slot(slot, f"Name of the {slot.replace('_', ' ')}") for slot in SLOTS},
        )
    }
)
OFFER = Example(
    "offer",
    acts=(
        Act("OFFER", "restaurant_name", ("Blue Heron",)),
        Act("OFFER", "city", ("Oakland",)),
        Act("OFFER", "time", ("6:30 pm",)),
    ),
    service="Restaurants_1",
    references=("How about Blue Heron in Oakland at 6:30 pm?",),
)
ASK = Example("ask", acts=(Act("REQUEST", "city"),), service="Restaurants_1", references=("Which city?",))
BACKGROUND = Background.of(SCHEMA, [OFFER, ASK])


@pytest.mark.parametrize(("name", "change"), list(changes_of_values(SCHEMA)))
def test_new_values_stand_in_acts_and_reference(name: str, change: object) -> None:
    assert callable(change)
    changed = change(OFFER)
    assert changed is not None and changed == change(OFFER)  # the same every time
    assert changed.acts != OFFER.acts
    for phrase in hard_phrases(changed, SCHEMA):
        assert phrase in changed.target and len(phrase) <= LONGEST, name
    assert change(ASK) is None


def test_values_cover_what_is_promised() -> None:
    by_kind = kinds()
    assert any(not unicodedata.is_normalized("NFC", value) for value in by_kind["accents"])
    assert all(any(each.isdigit() for each in value) for value in by_kind["numbers inside"])
    changes = dict(changes_of_values(SCHEMA))
    named = {kind: [act.values[0] for act in (changes[kind](OFFER) or OFFER).acts[:2]] for kind in changes}
    first, second = named["equal"]
    assert first == second
    first, second = sorted(named["inside another"], key=len)
    assert first in second and first != second
    assert named["overlapping"][0].split()[-1] in named["overlapping"][1]
    assert min(map(len, named["long"])) >= 80


@pytest.mark.parametrize("level", LEVELS)
def test_a_paraphrased_schema_says_the_same_otherwise(level: str) -> None:
    other = Paraphrase.of(SCHEMA, level)
    changed = other.change()(OFFER)
    assert changed is not None and changed.service in other.schema.services and changed.service != OFFER.service
    assert hard_phrases(changed, other.schema) == hard_phrases(OFFER, SCHEMA)
    assert changed.references == OFFER.references
    before, after = SCHEMA.service(OFFER.service), other.schema.service(changed.service)
    assert len(after.slots) == len(before.slots) and not set(after.slots) & set(before.slots)
    old, new = ({slot.description for slot in service.slots.values()} for service in (before, after))
    assert not old & new


@pytest.mark.parametrize("count", range(MOST + 1))
def test_so_many_values_have_to_be_said(count: int) -> None:
    more = replace(OFFER, acts=tuple(Act("OFFER", slot, (f"{slot} {n}",)) for slot in SLOTS for n in range(3)))
    pools = value_pools([OFFER, more], SCHEMA)
    changed = change_of_count(count, SCHEMA, pools)(OFFER if count else ASK)
    assert changed is not None and not changed.references
    assert len(hard_phrases(changed, SCHEMA)) == count
    assert change_of_count(count, SCHEMA, pools)(ASK if count else OFFER) is None


def test_what_is_missing_is_counted_and_what_is_right_is_not() -> None:
    variant = Variant("one", (OFFER, OFFER), (OFFER, OFFER))
    right = Output(OFFER.target)
    found = report(Stressed(variant, Outputs((right, right)), Outputs((right, Output("How about it?")))), BACKGROUND)
    assert (found["n"], found["any_error"], found["errors"]["ser"]) == (2, 1, 1)
    assert found["bleu_untouched"] == 100 and found["bleu"] < 100 and found["bleu_difference"] < 0


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy")
def test_control_dag_keeps_its_promises_and_greedy_does_not() -> None:
    model = ControlDag.from_pretrained("sgd-mini").with_schema(SCHEMA)
    turns = [OFFER, ASK, replace(OFFER, id="more", acts=(*OFFER.acts, Act("OFFER", "street_address", ("12 Elm Way",))))]
    hard = ("marks", "emoji", "equal", "inside another", "schema: both", "0 values", "3 values")
    wanted = [variant for variant in variants(turns, SCHEMA, turns=1) if variant.name in hard]
    assert len(wanted) == len(hard)
    wrong = {}
    for decoder in ("control-dag", "greedy"):
        found = [report(each, BACKGROUND) for each in run_suite(model, wanted, StressOptions(1, decoder))]
        wrong[decoder] = sum(each["any_error"] for each in found)
        assert decoder == "greedy" or not any(each["failures"] for each in found)
    assert wrong["control-dag"] == 0 < wrong["greedy"]
