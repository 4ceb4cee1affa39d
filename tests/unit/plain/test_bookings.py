"""What belongs together as one phrase: bookings, and what is said of the thing that a turn is about."""

from __future__ import annotations

import pytest

from controldag.data.act_syntax import parse_act
from controldag.data.records import Example
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.plain import plain_text

_SLOTS = {
    "hotel_name": "Name of the hotel",
    "city": "City where the hotel is located",
    "address": "Address of the hotel",
    "stars": "Star rating of the hotel",
    "price": "Price per night",
    "pool": "Whether the hotel has a pool",
    "check_in_date": "Check in date for reservation",
    "check_out_date": "Check out date for reservation",
    "rooms": "Number of rooms to reserve",
    "adults": "Number of adults",
    "children": "Number of children",
    "note": "Special instructions",
    "doctor": "Name of the doctor",
    "appt_date": "Date of the appointment",
    "appt_time": "Time of the appointment",
    "from_city": "City where the bus is leaving from",
    "to_city": "City where the bus is going to",
    "arrival_date": "Arrival date",
}
SERVICE = Service(
    "Any_1", slots={name: Slot(name, text) for name, text in _SLOTS.items()}, intents=(Intent("FindHotel"),)
)


@pytest.mark.parametrize(
    ("acts", "text"),
    [
        (
            "OFFER(hotel_name=Sea View) OFFER(city=Brest) OFFER(stars=4) OFFER(price=$90) OFFER(pool=True)",
            "One option is Sea View in Brest. It has a star rating of 4 and a pool, and costs $90 per night.",
        ),
        (
            "INFORM_COUNT(count=3) OFFER(hotel_name=Sea View) OFFER(address=9 Quay)",
            "I found 3 hotels, for example Sea View at 9 Quay.",
        ),
        ("OFFER(stars=4) OFFER(price=$90)", "There is a hotel that has a star rating of 4 and costs $90 per night."),
        (
            "INFORM_COUNT(count=3) OFFER(stars=4) OFFER(price=$90)",
            "I found 3 hotels. One of them has a star rating of 4 and costs $90 per night.",
        ),
        # People arrive, hotels do not.
        ("OFFER(arrival_date=3 May)", "I can offer the following: the arrival date is 3 May."),
        (
            "CONFIRM(hotel_name=Sea View) CONFIRM(city=Brest) CONFIRM(check_in_date=3 May) CONFIRM(rooms=2) "
            "CONFIRM(adults=3) CONFIRM(children=1) CONFIRM(pool=False)",
            "Please confirm: 2 rooms at Sea View in Brest, check-in on 3 May for 3 adults and 1 child. Please also "
            "confirm that the hotel does not have a pool.",
        ),
        (
            "CONFIRM(hotel_name=Sea View) CONFIRM(check_in_date=3 May) CONFIRM(check_out_date=5 May)",
            "Please confirm: Sea View, check-in on 3 May, check-out on 5 May.",
        ),
        (
            "CONFIRM(doctor=Ana Roth) CONFIRM(appt_date=3 May) CONFIRM(appt_time=4 pm)",
            "Please confirm: an appointment with the doctor Ana Roth on 3 May at 4 pm.",
        ),
        ("OFFER(appt_time=4 pm)", "I can offer an appointment at 4 pm."),
        ("CONFIRM(from_city=Rome) CONFIRM(to_city=Bari)", "Please confirm: a bus from Rome to Bari."),
        ("REQUEST(appt_date) REQUEST(appt_time)", "What date and what time would you like for the appointment?"),
        # A day that is no day is said as it stands.
        (
            "CONFIRM(doctor=Ana Roth) CONFIRM(appt_date=whenever)",
            "Please confirm: the doctor is Ana Roth, and the date of the appointment is whenever.",
        ),
    ],
)
def test_what_belongs_together(acts: str, text: str) -> None:
    example = Example("x", acts=tuple(parse_act(f"{act.rstrip(')')})") for act in acts.split(") ")), service="Any_1")
    assert plain_text(example, Schema({"Any_1": SERVICE})) == text


def test_two_times_of_one_kind_are_told_apart() -> None:
    slots = {
        "out_time": Slot("out_time", "Departure time of the outbound flight"),
        "in_time": Slot("in_time", "Departure time of the inbound flight"),
    }
    acts = tuple(parse_act(f"CONFIRM({name}={time})") for name, time in (("out_time", "7 am"), ("in_time", "8 pm")))
    text = plain_text(Example("x", acts=acts, service="F_1"), Schema({"F_1": Service("F_1", slots=slots)}))
    assert text.index("outbound") < text.index("7 am") < text.index("inbound") < text.index("8 pm")
