"""What readers stumbled over in services and facts of people who did not know the rules."""

from __future__ import annotations

import pytest

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.plain import plain_text

FLAG = ("True", "False")
SERVICE = Service(
    "Harbour_1",
    "Boats and parcels",
    {
        slot.name: slot
        for slot in (
            Slot("eta", "est. delivery date"),
            Slot("dest", "dest. city"),
            Slot("copay", "How much does the patient have to pay?"),
            Slot("practice", "What is the practice called?"),
            Slot("walkInsAccepted", "", True, FLAG),
            Slot("top_speed_knots", "maximum speed"),
            Slot("deposit_eur", "security deposit"),
            Slot("fuel_capacity_l", ""),
            Slot("gear", "equipment on board"),
            Slot("appointment_date", "Date of the appointment"),
            Slot("appointment_time", "Time of the appointment"),
        )
    },
    (Intent("charter_boat"), Intent("rebook_flight")),
)


def say(*acts: Act) -> str:
    return plain_text(Example("x", acts=acts, service="Harbour_1"), Schema({"Harbour_1": SERVICE}))


@pytest.mark.parametrize(
    ("slot", "values", "text"),
    [
        ("eta", ("tomorrow",), "The estimated delivery date is tomorrow."),
        ("dest", ("Halifax",), "The destination city is Halifax."),
        ("copay", ("$20",), "The patient has to pay $20."),
        ("practice", ("Smile! Dental Studio",), "The practice is Smile! Dental Studio."),
        ("walkInsAccepted", ("False",), "Walk-ins are not accepted."),
        ("top_speed_knots", ("22",), "The maximum speed is 22 knots."),
        ("deposit_eur", ("1,500",), "The security deposit is 1,500 euros."),
        ("fuel_capacity_l", ("400",), "The fuel capacity is 400 litres."),
        ("gear", ("two kayaks", "snorkels"), "The equipment on board is two kayaks and snorkels."),
    ],
)
def test_slots(slot: str, values: tuple[str, ...], text: str) -> None:
    assert say(Act("INFORM", slot, values)) == text


def test_intents_that_are_not_described_begin_with_a_verb() -> None:
    assert say(Act("OFFER_INTENT", "intent", ("charter_boat",))) == "Would you like to charter a boat?"
    assert say(Act("OFFER_INTENT", "intent", ("rebook_flight",))) == "Would you like to rebook a flight?"


def test_behind_a_failure_an_offer_is_no_fact() -> None:
    offers = Act("OFFER", "appointment_time", ("11:40 am",)), Act("OFFER", "appointment_date", ("March 2nd",))
    assert say(Act("NOTIFY_FAILURE"), *offers).endswith("I can offer an appointment on March 2nd at 11:40 am instead.")
    assert "Another option is that" in say(Act("NOTIFY_FAILURE"), Act("OFFER", "dest", ("Halifax",)))


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ([("Pluto", "is no longer classified as", "planet")], "Pluto is no longer classified as a planet."),
        (
            [("Tom Haverly", "was elected", "treasurer"), ("Tom Haverly", "year elected", "2019")],
            "Tom Haverly was elected treasurer in 2019.",
        ),
        (
            [("Usain Bolt", "personal best 100 metres", "9.58 seconds")],
            "The personal best (100 metres) of Usain Bolt is 9.58 seconds.",
        ),
        ([("Saturn", "has part", "rings")], "Saturn has rings as parts."),
        ([("the blue bicycle", "weight_kg", "11")], "The blue bicycle has a weight of 11 kg."),
    ],
)
def test_facts(facts: list[tuple[str, str, str]], text: str) -> None:
    assert plain_text(Example("x", triples=tuple(Triple(*fact) for fact in facts)), None) == text
