"""Other people's words: short forms, questions, units in names, compounds with `in`, intents without a description."""

from __future__ import annotations

import pytest

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.plain import plain_text
from controldag.plain.facts import say_facts
from controldag.plain.intents import offer_of
from controldag.plain.slots import question, statement


@pytest.mark.parametrize(
    ("name", "description", "value", "text"),
    [
        ("eta", "est. delivery date", "tomorrow", "the estimated delivery date is tomorrow"),
        ("dest", "dest. city", "Rome", "the destination city is Rome"),
        ("trk", "tracking no.", "7Z", "the tracking number is 7Z"),
        ("a", "max. number of guests", "4", "the maximum number of guests is 4"),
        ("g", "Fee charged. Paid on arrival.", "$4", "the fee charged is $4"),
        ("copay", "How much does the patient have to pay?", "$20", "the patient has to pay $20"),
        ("fee", "How much does the garage charge per hour?", "$95", "the garage charges $95 per hour"),
        ("dep", "How much will be charged at booking?", "$50", "the amount that will be charged at booking is $50"),
        ("practice", "What is the practice called?", "Smile!", "the practice is Smile!"),
        ("dish", "What is being cooked?", "soup", "the dish is soup"),
        ("top_speed_knots", "maximum speed", "22", "the maximum speed is 22 knots"),
        ("deposit_eur", "security deposit", "1,500", "the security deposit is 1,500 euros"),
        ("deposit_eur", "security deposit", "€1,500", "the security deposit is €1,500"),
        ("deposit_eur", "security deposit in euros", "40", "the security deposit is 40 euros"),
        ("fuel_capacity_l", "", "400", "the fuel capacity is 400 litres"),
        ("price_per_night_eur", "", "90", "the price per night is 90 euros"),
        ("duration_hours", "length of the tour", "1", "the length of the tour is 1 hour"),
        ("temp_c", "water temperature", "18", "the water temperature is 18 degrees Celsius"),
        ("frequent_flyer_miles", "", "200", "the number of frequent flyer miles is 200"),
        ("check_in", "", "3 pm", "the check-in is 3 pm"),
        ("walkInsAccepted", "", "False", "walk-ins are not accepted"),
        ("trade_ins_accepted", "", "True", "trade-ins are accepted"),
        ("ins_required", "", "True", "insurance is required"),
    ],
)
def test_statements(name: str, description: str, value: str, text: str) -> None:
    assert statement(Slot(name, description), (value,)) == text


def test_what_has_no_plural_stays_singular() -> None:
    assert statement(Slot("gear", "equipment on board"), ("a", "b")) == "the equipment on board is a and b"
    facts = [Triple("Bo", "equipment", "a rope"), Triple("Bo", "equipment", "a lamp")]
    assert say_facts(facts) == "The equipment of Bo is a rope and a lamp."


def test_a_question_for_a_slot_stays_as_it_is_written() -> None:
    assert question(Slot("copay", "How much does the patient pay?"), ()) == "how much does the patient pay"
    assert question(Slot("date", "On which day is the visit?"), ()) == "on which day is the visit"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("charter_boat", "charter a boat"),
        ("rebook_flight", "rebook a flight"),
        ("groom_dog", "groom a dog"),
        ("hotel_search", 'go on with "hotel search"'),
    ],
)
def test_the_first_word_of_an_intent(name: str, text: str) -> None:
    assert offer_of(None, name) == text


def _said(acts: list[Act], *slots: Slot) -> str:
    service = Service("S", "", {slot.name: slot for slot in slots}, (Intent("BookVisit"),))
    return plain_text(Example("x", acts=tuple(acts), service="S"), Schema({"S": service}))


@pytest.mark.parametrize(("role", "link"), [("donor", "for"), ("passenger", "for"), ("doctor", "with")])
def test_whom_an_appointment_is_for(role: str, link: str) -> None:
    slots = (Slot(f"{role}_name"), Slot("appointment_date"), Slot("appointment_time"))
    acts = [Act("CONFIRM", slot.name, (value,)) for slot, value in zip(slots, ("Ann Li", "May 3", "9 am"), strict=True)]
    assert f"an appointment {link} the {role} Ann Li on May 3 at 9 am" in _said(acts, *slots)


def test_an_offer_behind_a_failure_is_no_fact() -> None:
    slots = (Slot("date"), Slot("time"), Slot("fetch", "When the driver fetches the laundry"))
    failed = Act("NOTIFY_FAILURE", "")
    offers = [Act("OFFER", "time", ("11:40 am",)), Act("OFFER", "date", ("March 2nd",))]
    assert _said([failed, *offers], *slots).endswith("How about March 2nd at 11:40 am instead?")
    other = _said([failed, Act("OFFER", "fetch", ("Saturday at 10 am",))], *slots)
    assert other.endswith("Another option is that the driver fetches the laundry on Saturday at 10 am.")


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (["Pluto|is no longer classified as|planet"], "Pluto is no longer classified as a planet."),
        (["Lea|is no longer member of|NATO"], "Lea is no longer a member of NATO."),
        (["Lea|is still employed by|Acme"], "Lea is still employed by Acme."),
        (["Bo|personal best 100 metres|9.58 seconds"], "The personal best (100 metres) of Bo is 9.58 seconds."),
        (["Bo|top_speed_knots|22"], "Bo has a top speed of 22 knots."),
        (["Bo|number of knots|4"], "Bo has 4 knots."),
        (["Saturn|has part|rings"], "Saturn has rings as parts."),
        (["Bo|was elected|treasurer", "Bo|year elected|2019"], "Bo was elected treasurer in 2019."),
    ],
)
def test_facts(facts: list[str], text: str) -> None:
    assert say_facts([Triple(*fact.split("|")) for fact in facts]) == text
