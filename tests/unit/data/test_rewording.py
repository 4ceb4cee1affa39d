"""Another wording of a schema names the same slots otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data.records import Act, Example
from controldag.data.rewording import Wording, all_services, load_wordings
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.errors import InvalidInput

ORIGINAL = Schema({"Banks_1": Service("Banks_1", "", {"kind": Slot("kind"), "sum": Slot("sum")}, (Intent("Send"),))})
OTHER = Schema(
    {"Banks_12": Service("Banks_12", "", {"type": Slot("type"), "amount": Slot("amount")}, (Intent("Transfer"),))}
)


def test_slots_and_intents_are_renamed_by_place() -> None:
    wording = Wording.of(ORIGINAL, OTHER, 2)
    turn = Example("a", acts=(Act("OFFER", "sum", ("5",)), Act("OFFER_INTENT", "intent", ("Send",))), service="Banks_1")
    assert wording.apply(turn) == Example(
        "a", acts=(Act("OFFER", "amount", ("5",)), Act("OFFER_INTENT", "intent", ("Transfer",))), service="Banks_12"
    )
    other = Example("b", acts=(Act("GOODBYE"),), service="Elsewhere_1")
    assert wording.apply(other) == other
    assert set(all_services(ORIGINAL, [wording]).services) == {"Banks_1", "Banks_12"}


def test_a_wording_of_another_schema_is_refused() -> None:
    fewer = Schema({"Banks_12": Service("Banks_12", "", {"type": Slot("type")})})
    with pytest.raises(InvalidInput, match="Banks_1"):
        Wording.of(ORIGINAL, fewer, 2)


@pytest.mark.realdata
def test_every_training_service_has_five_wordings(data: Path) -> None:
    original = Schema.load(data / "sgd" / "train" / "schema.json")
    wordings = load_wordings(original, data / "corpora" / "sgdx", "train")
    assert [len(wording.services) for wording in wordings] == [26] * 5
