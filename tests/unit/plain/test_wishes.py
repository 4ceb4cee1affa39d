"""Questions for what a person chooses, and for facts that nobody chooses."""

from __future__ import annotations

import pytest

from controldag.data.schema import Slot
from controldag.plain.slots import question


@pytest.mark.parametrize(
    ("name", "description", "asked"),
    [
        ("appt_date", "Date of the appointment", "what date would you like for the appointment"),
        ("date", "Tentative date of restaurant reservation", "what date would you like for the restaurant reservation"),
        ("visit_dt", "Date and time of the visit", "what date and time would you like for the visit"),
        ("travel_date", "Date of travel", "what date of travel would you like"),
        ("dob", "Date of birth of the child", "what is the date of birth of the child"),
        ("etd", "Scheduled time of departure", "what is the scheduled time of departure"),
        ("category", "The category of food offered by the restaurant", "what category of food would you like"),
        ("blood", "Blood type of the donor", "what is the blood type of the donor"),
        ("travelers", "Number of travelers for journey", "how many travelers will there be"),
        ("rooms", "Number of rooms in the reservation", "how many rooms would you like for the reservation"),
        ("household", "Number of people in the household", "what is the number of people in the household"),
        ("amount", "The amount of money to transfer", "what amount of money would you like to transfer"),
        ("movie_name", "Name of the movie", "which movie would you like"),
        ("treatment", "Treatment wanted", "which treatment would you like"),
        ("origin_city", "City in which the journey originates", "which city would you like to leave from"),
        ("tickets", "The quantity of seats to book at the event", "how many seats would you like to book at the event"),
        ("dest", "Name of destination, either a landmark or an address", "what is the name of the destination"),
        ("spec", "Type of therapy provider", "what type of therapy provider would you like"),
        ("eatery", "The restaurant's common name", "which restaurant would you like"),
        ("takeoff", "Time plane leaves from the airport", "when does the plane leave from the airport"),
        ("score", "Average user rating, between one and ten", "what is the average user rating"),
        ("addr", "Where to deliver the order", "where should the order be delivered"),
    ],
)
def test_wishes_and_facts(name: str, description: str, asked: str) -> None:
    assert question(Slot(name, description), ()) == asked


def test_all_choices_are_no_examples() -> None:
    kind = Slot("kind", "Type of room", True, ("single", "double", "suite"))
    assert question(kind, kind.possible_values) == "what type of room would you like: single, double or suite"
    assert question(kind, ("single", "suite")) == "what type of room would you like, for example single or suite"
