"""Statements and questions about slots: description or name, units, clauses, several values, any value."""

from __future__ import annotations

import pytest

from controldag.data.schema import Slot
from controldag.plain.slots import question, statement
from controldag.plain.times import when

STATED = [
    ("est", "Estimated cost of the whole repair", "$540", "the estimated cost of the whole repair is $540"),
    ("shop", "Name of the workshop", "Piston House", "the workshop is Piston House"),
    ("alarm_name", "", "Wake up", "the alarm is Wake up"),
    ("price", "Price per night for the stay", "$90", "the price per night for the stay is $90"),
    ("total_price", "Price per night of the house", "$90", "the price per night of the house is $90"),
    ("origin_city", "City in which the journey originates", "Oslo", "the origin city is Oslo"),
    ("load_kg", "Weight of the load in kilograms", "2", "the weight of the load is 2 kilograms"),
    ("load_kg", "Weight of the load in kilograms", "2 kg", "the weight of the load is 2 kg"),
    ("stay", "Length of stay in days", "1", "the length of stay is 1 day"),
    ("wind", "Wind speed in miles per hour", "1", "the wind speed is 1 mile per hour"),
    ("fee_pct", "Fee as a percentage of the refund", "9", "the fee is 9 percent of the refund"),
    ("humidity", "Percentage humidity", "44", "the humidity is 44 percent"),
    ("loanPeriodDays", "", "21", "the loan period is 21 days"),
    ("in_dt", "When the user brings the car in", "Tuesday at 8 am", "you bring the car in on Tuesday at 8 am"),
    ("in_dt", "When the user brings the car in", "end of May", "the time when you bring the car in is end of May"),
    ("time", "Time when the event is scheduled to start", "7 pm", "the event is scheduled to start at 7 pm"),
    ("year", "Year in which the song was released", "2017", "the song was released in 2017"),
    ("addr", "Where the driver should go", "Row 8", "the place where the driver should go is Row 8"),
    ("area", "City where bus stops", "Rome", "the bus stops in Rome"),
    ("rate", "What the workshop charges for an hour", "$95", "the workshop charges $95 for an hour"),
    ("theme", "What the party is about", "pirates", "the party is about pirates"),
    ("kind", "What is being donated", "plasma", "what is being donated is plasma"),
    ("teacher", "who teaches it", "Mr. Yun", "the teacher is Mr. Yun"),
    ("guests", "How many children are invited", "14", "the number of children that are invited is 14"),
    ("turns", "How old the child turns", "6", "the child turns 6"),
    ("diff", "How difficult the room is, from 1 to 5", "4", "the difficulty of the room is 4"),
    ("busy", "How busy the place is", "very", "as to how busy the place is, the answer is very"),
    ("subs", "How many people follow the show", "12,400", "the number of people that follow the show is 12,400"),
    ("til", "Open until", "11 pm", "it is open until 11 pm"),
    ("fit_dt", "Fitting on", "Tuesday", "the fitting is on Tuesday"),
    ("fit_dt", "Fitting on", "on Tuesday", "the fitting is on Tuesday"),
    ("order_min", "Smallest order", "18", "the smallest order is 18"),
    (
        "shuttle",
        "Price that passengers pay for the shuttle from the airport to the hotel",
        "$12",
        "the price that passengers pay for the shuttle from the airport to the hotel is $12",
    ),
    ("loan", "Person who borrowed the item", "Anna", "the person who borrowed the item is Anna"),
    ("family_name", "", "Smith", "the family name is Smith"),
    ("entry", "how the cleaner gets in", "by key", "the way in which the cleaner gets in is by key"),
    ("free_seats", "", "11", "the number of free seats is 11"),
    ("employer", "Employer of the user", "Harlow Ltd.", "your employer is Harlow Ltd."),
    ("account", "The user's account type", "savings", "your account type is savings"),
    ("note", "Special instructions from the customer", "ring twice", 'your special instructions are "ring twice"'),
    ("plan", "Choose the plan (veggie, family)", "veggie", "the plan is veggie"),
    ("date", "Date for the visit or to find a slot", "May 1", "the date for the visit is May 1"),
    ("cost", "Cost of renting movie", "$3", "the cost of renting the movie is $3"),
    ("stylist", "Name of the stylist/salon", "Colour Bar", "the stylist or salon is Colour Bar"),
    ("check_in", "Check in date for reservation", "May 1", "the check-in date for the reservation is May 1"),
    ("x_y", "", "5", 'the "x y" entry is 5'),
    ("", "", "5", "the answer is 5"),
    ("price_kg", "", "$4", "the price per kilogram is $4"),
    ("город", "", "Тверь", "the город is Тверь"),
]

ASKED = [
    ("shop", "Name of the workshop", "which workshop would you like"),
    ("in_dt", "When the user brings the car in", "when will you bring the car in"),
    ("out_dt", "When the car can be fetched", "when can the car be fetched"),
    ("at", "When the driver comes", "when should the driver come"),
    ("gate", "When the gate closes", "when does the gate close"),
    ("last", "Date the user last had a test", "on which date did you last have a test"),
    ("city", "City where the salon is located", "in which city should the salon be located"),
    ("from", "City where bus is leaving from", "which city would you like to leave from"),
    ("svc", "Treatment the laundry should get", "which treatment should the laundry get"),
    ("mechanic", "Person who works on the car", "who works on the car"),
    ("vet", "Vet on duty", "who is the vet on duty"),
    ("cleaner", "", "which cleaner would you like"),
    ("seats", "Number of seats to reserve", "how many seats would you like to reserve"),
    ("people", "How many people you cook for", "how many people will you cook for"),
    ("bikes", "Bikes available at the station", "how many bikes are available at the station"),
    ("limit", "Latest time to cancel for free", "what is the latest time to cancel for free"),
    ("start", "City to pick up the car", "in which city would you like to pick up the car"),
    ("group", "Blood group of the user", "what is your blood group"),
    ("quiet", "quiet hours", "what are the quiet hours"),
    ("arr", "arrival", "when is the arrival"),
    ("out", "Date on which the episode came out", "on which date did the episode come out"),
    ("work", "What has to be done to the car", "what has to be done to the car"),
    ("fee", "what a copy costs", "what does a copy cost"),
    ("wait", "how long people wait", "how long do people wait"),
]


@pytest.mark.parametrize(("name", "description", "value", "clause"), STATED)
def test_statements(name: str, description: str, value: str, clause: str) -> None:
    assert statement(Slot(name, description), (value,)) == clause


@pytest.mark.parametrize(("name", "description", "asked"), ASKED)
def test_questions(name: str, description: str, asked: str) -> None:
    assert question(Slot(name, description), ()) == asked


def test_several_values_and_suggestions() -> None:
    shop = Slot("shop", "Name of the workshop")
    assert statement(shop, ("A", "B")) == "the workshops are A and B"
    assert statement(shop, ("A", "B"), "or") == "the workshop is A or B"
    days = Slot("days", "weekdays on which lessons are held")
    assert statement(days, ("Monday", "Friday")) == "lessons are held on Monday and on Friday"
    level = Slot("level", "Level of the course", True, ("A1", "A2"))
    assert question(level, ("A1", "A2")) == "what is the level of the course, A1 or A2"
    more = Slot("level", "Level of the course", True, ("A1", "A2", "B1"))
    assert question(more, ("A1", "A2")) == "what is the level of the course, for example A1 or A2"


def test_any_value_and_no_value() -> None:
    level = Slot("level", "Level of the course", True, ("A1", "None"))
    assert statement(level, ("dontcare",)) == "the level of the course does not matter"
    assert statement(level, ("None",)) == "there is no level of the course"
    assert statement(level, ()) == "this is about the level of the course"
    flag = Slot("pets", "Whether pets are allowed", True, ("True", "False"))
    assert statement(flag, ("dontcare",)) == "it does not matter whether pets are allowed"
    assert statement(flag, ("True", "False")) == "it is open whether pets are allowed"


def test_a_description_that_lists_the_values_names_nothing() -> None:
    colour = Slot("col", "colour or black and white", True, ("colour", "black and white"))
    assert statement(colour, ("colour",)) == "the choice is colour"


def test_yes_and_no_that_are_words_are_said() -> None:
    pets = Slot("pets", "Whether pets are allowed", True, ("Yes", "No"))
    assert statement(pets, ("No",)) == "No, pets are not allowed"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        *(("Tuesday at 8 am", "on Tuesday at 8 am"), ("7 am tomorrow", "at 7 am tomorrow"), ("noon", "at noon")),
        *(
            ("21 May", "on 21 May"),
            ("March 8th", "on March 8th"),
            ("2026-11-16", "on 2026-11-16"),
            ("May 2026", "in May 2026"),
        ),
        *(
            ("1998", "in 1998"),
            ("tomorrow at 11", "tomorrow at 11"),
            ("next Friday", "next Friday"),
            ("19:30", "at 19:30"),
        ),
        *(
            ("30 minutes before departure", "30 minutes before departure"),
            ("the 22nd", "on the 22nd"),
            ("in May", "in May"),
        ),
        *(
            ("Thursday evening", "on Thursday evening"),
            ("late spring", None),
            ("8", None),
            ("", None),
            ("Maya's", None),
        ),
    ],
)
def test_points_of_time(value: str, said: str | None) -> None:
    assert when(value) == said


def test_what_is_offered_is_not_what_the_reader_wishes() -> None:
    slot = Slot("city", "Area where user wants to search for a therapist")
    assert statement(slot, ["Napa"]) == "the city is Napa"
    assert question(slot, []) == "where do you want to search for a therapist"
