"""The fuller input: one form for acts and triples, and where its words of the schema are."""

from __future__ import annotations

import pytest

from controldag.data.full_input import full_text, schema_parts, words_of_name, words_of_service
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.errors import InvalidInput

SCHEMA = Schema(
    {
        "RentalCars_3": Service(
            "RentalCars_3",
            "Rent a car <h> nearby",
            {"car_name": Slot("car_name", "Name of the car"), "pets": Slot("pets", "", is_categorical=True)},
            (Intent("ReserveCar", "Make a booking"), Intent("FindCars")),
        )
    }
)
ACTS = Example(
    "a",
    acts=(
        Act("OFFER", "car_name", ("Dacia", "Kia")),
        Act("OFFER_INTENT", "intent", ("ReserveCar",)),
        Act("REQUEST", "pets"),
        Act("INFORM_COUNT", "count", ("2",)),
        Act("REQ_MORE"),
    ),
    service="RentalCars_3",
)


def test_acts_say_all_that_the_schema_says_in_words() -> None:
    assert full_text(ACTS, SCHEMA, " , ") == (
        "system rental cars ; reserve car , find cars : rent a car nearby "
        "<h> offer <r> car name : name of the car <t> Dacia , Kia <h> offer intent <r> reserve car : make a booking "
        "<h> request <r> pets <h> inform count <r> count <t> 2 <h> req more"
    )


def test_triples_have_the_same_form() -> None:
    example = Example("t", triples=(Triple("Marie_Curie", "birthPlace", "Warsaw"), Triple("X", "[TITLE]", "Y")))
    assert full_text(example, None, " , ") == "writer <h> Marie_Curie <r> birth place <t> Warsaw <h> X <r> title <t> Y"


@pytest.mark.parametrize(
    ("name", "words"),
    [("leaving_time", "leaving time"), ("leavingTime", "leaving time"), ("ISBNNumber", "isbn number"), ("_", "_")],
)
def test_names_in_words(name: str, words: str) -> None:
    assert words_of_name(name) == words


def test_services_lose_their_number() -> None:
    assert words_of_service("RentalCars_3") == "rental cars" and words_of_service("Banks_15") == "banks"


def test_words_of_the_schema_are_found_again_and_values_are_not() -> None:
    text = full_text(ACTS, SCHEMA, " , ")
    assert [(each.part, text[each.start : each.end]) for each in schema_parts(text)] == [
        ("service", "rental cars"),
        ("intents", "reserve car , find cars"),
        ("about", "rent a car nearby"),
        ("name", "car name"),
        ("description", "name of the car"),
        ("name", "reserve car"),
        ("description", "make a booking"),
        ("name", "pets"),
        ("name", "count"),
    ]


@pytest.mark.parametrize("text", ["writer <h> a <r> b <t> c", "system ; find <h> bye", "system"])
def test_parts_do_not_overlap_and_stay_in_the_text(text: str) -> None:
    end = 0
    for each in schema_parts(text):
        assert end <= each.start <= each.end <= len(text)
        end = each.end


def test_the_lineariser_needs_a_schema_for_acts_only() -> None:
    linearise = make_lineariser(LinearisationOptions("full", " , "))
    assert linearise(Example("t", triples=(Triple("a", "b", "c"),))) == "writer <h> a <r> b <t> c"
    with pytest.raises(InvalidInput, match="schema"):
        linearise(ACTS)
    assert make_lineariser(LinearisationOptions("full", " , "), schema=SCHEMA)(ACTS) == full_text(ACTS, SCHEMA, " , ")
