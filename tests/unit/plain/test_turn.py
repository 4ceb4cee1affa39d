"""Whole turns: order, joining, counts, intents, success and failure, the user's templates, odd input."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from controldag.data.records import Act, Example
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.data.templates import Templates
from controldag.errors import InvalidInput
from controldag.plain import plain_text

SAMPLES = Path(__file__).parent / "samples"
SAMPLE_TURNS = [json.loads(line) for line in (SAMPLES / "turns.jsonl").read_text("utf-8").splitlines()]
SAMPLE_SCHEMA = Schema.load(SAMPLES / "services.json")
GARAGE = Service(
    "Garage_1",
    "Get a car repaired",
    {
        slot.name: slot
        for slot in (
            Slot("shop", "Name of the workshop"),
            Slot("addr", "Address of the workshop"),
            Slot("est", "Estimated cost of the whole repair"),
            Slot("in_dt", "When the user brings the car in"),
            Slot("loaner", "Whether the customer gets a courtesy car", True, ("True", "False")),
            Slot("work", "What has to be done to the car"),
        )
    },
    (Intent("FindWorkshop", "Find a workshop"), Intent("BookRepair", "Book a car in for repair")),
)
SCHEMA = Schema({"Garage_1": GARAGE})


def say(*acts: Act, templates: Templates | None = None, schema: Schema | None = SCHEMA) -> str:
    return plain_text(Example("x", acts=acts, service="Garage_1"), schema, templates)


@pytest.mark.parametrize("turn", SAMPLE_TURNS, ids=lambda turn: turn["id"])
def test_turns_of_invented_services(turn: dict[str, object]) -> None:
    acts = tuple(Act(act["act"], act["slot"], tuple(act["values"])) for act in turn["dialog_acts"])  # type: ignore[attr-defined]
    assert plain_text(Example("x", acts=acts, service=str(turn["service"])), SAMPLE_SCHEMA) == turn["text"]


def test_acts_are_said_in_the_order_of_people() -> None:
    text = say(
        Act("GOODBYE"),
        Act("REQ_MORE"),
        Act("OFFER_INTENT", "intent", ("BookRepair",)),
        Act("REQUEST", "work"),
        Act("CONFIRM", "addr", ("9 Foundry Way",)),
        Act("INFORM", "est", ("$540",)),
        Act("NOTIFY_SUCCESS"),
    )
    assert text == (
        "Your repair is booked. The estimated cost of the whole repair is $540. "
        "Please confirm: the address of the workshop is 9 Foundry Way. What has to be done to the car? "
        "Would you like to book a car in for repair? Is there anything else I can help you with? "
        "Have a great day!"
    )


def test_offers_and_counts() -> None:
    shop, addr = Act("OFFER", "shop", ("Bay Auto",)), Act("OFFER", "addr", ("9 Foundry Way",))
    assert say(shop, addr) == "One option is Bay Auto at 9 Foundry Way."
    assert say(addr, shop) == say(shop, addr)
    count = Act("INFORM_COUNT", "count", ("5",))
    assert say(shop, count) == "I found 5 workshops, for example Bay Auto."
    assert say(shop, Act("INFORM_COUNT", "count", ("1",))) == "I found 1 workshop: Bay Auto."
    assert say(count) == "I found 5 workshops."
    assert say(count, schema=None) == "I found 5 options."
    assert say(addr) == "There is a workshop at 9 Foundry Way."
    assert say(Act("OFFER", "in_dt", ("21 May",))) == "I can offer the following: you can bring the car in on 21 May."


def test_acts_of_one_slot_are_one_list() -> None:
    first, second, third = (Act("OFFER", "shop", (name,)) for name in ("Kay's", "Lind & Co", "Ward"))
    assert say(first, second, third) == "Options are Kay's, Lind & Co and Ward."
    count = Act("INFORM_COUNT", "count", ("3",))
    assert say(count, first, second, third) == "I found 3 workshops: Kay's, Lind & Co and Ward."
    twice = say(Act("INFORM", "shop", ("Kay's",)), Act("INFORM", "shop", ("Kay's",)))
    assert twice.count("Kay's") == 2  # each value at a place of its own


def test_confirmations_are_one_sentence() -> None:
    text = say(Act("CONFIRM", "addr", ("Flat 3, Row 8",)), Act("CONFIRM", "loaner", ("False",)))
    assert text == "Please confirm: the address of the workshop is Flat 3, Row 8; and you do not get a courtesy car."


def test_success_and_failure_name_what_is_sure() -> None:
    assert say(Act("NOTIFY_FAILURE")) == "I am sorry, but the repair could not be booked."
    other = Service("Garage_1", intents=(*GARAGE.intents, Intent("CancelRepair")))
    assert say(Act("NOTIFY_SUCCESS"), schema=Schema({"Garage_1": other})) == "Your request was successful."
    assert say(Act("NOTIFY_SUCCESS"), schema=None) == "Your request was successful."


def test_templates_of_the_user_come_first() -> None:
    own = {"INFORM!!est!!@": "It costs @.", "INFORM!!loaner!!@": "A loan car: @.", "GOODBYE": "Bye!"}
    templates = Templates({"Garage_1": own})
    acts = (Act("INFORM", "est", ("$5",)), Act("INFORM", "addr", ("Row 8",)), Act("GOODBYE"))
    assert say(*acts, templates=templates) == "It costs $5. The address is Row 8. Bye!"
    # A template that would say `True` does not fit a yes.
    assert say(Act("INFORM", "loaner", ("True",)), templates=templates) == "You get a courtesy car."
    assert say(acts[0], templates=Templates({"Other_1": own})) == "The estimated cost of the whole repair is $5."


def test_without_a_schema_names_are_said() -> None:
    acts = (Act("INFORM", "leaving_date", ("8 May",)), Act("INFORM", "has_wifi", ("False",)), Act("REQUEST", "toCity"))
    assert (
        say(*acts, schema=None) == 'The leaving date is 8 May, and it does not have Wi-Fi. What is the "to city" entry?'
    )


def test_unknown_acts_say_slot_and_value() -> None:
    assert say(Act("SELECT", "shop", ("Bay Auto",))) == "The workshop is Bay Auto."
    assert say(Act("HURRY_UP")) == "Hurry up."
    assert say(Act("HURRY_UP", "", ("now",))) == "Hurry up: now."
    assert say(Act("AFFIRM")) == "Yes."


def test_odd_values_are_said_as_they_are() -> None:
    assert say(Act("INFORM", "shop", ("St.",))) == "The workshop is St."
    assert say(Act("INFORM", "shop", ("整備 工場",))) == "The workshop is 整備 工場."
    assert say(Act("INFORM", "shop", ("two\nlines",))) == "The workshop is two\nlines."
    assert say(Act("INFORM", "shop", ("", " A ", "A"))) == "The workshop is A."


def test_what_cannot_be_said_is_refused() -> None:
    for acts in ((), (Act("INFORM", "shop", ("a\0b",)),), (Act("INFORM", "shop", ("\ud800",)),)):
        with pytest.raises(InvalidInput):
            say(*acts)
    with pytest.raises(InvalidInput, match="at most 1,000 acts"):
        say(*(Act("REQ_MORE"),) * 1001)


def test_many_acts_and_long_descriptions_take_little_time() -> None:
    slots = {f"s{i}": Slot(f"s{i}", "Whether the true = a, " * 400 + "the price of the " * 400) for i in range(40)}
    schema = Schema({"Garage_1": Service("Garage_1", slots=slots)})
    begun = time.perf_counter()
    text = say(*(Act("INFORM", name, ("x" * 5000,)) for name in slots), schema=schema)
    assert time.perf_counter() - begun < 2
    assert text.count("x" * 5000) == 40
