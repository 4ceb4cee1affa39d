"""Hard phrases, names and numbers of an input."""

from __future__ import annotations

from controldag.data.phrases import category_phrases, entities, hard_phrases, licensed_numbers, number_phrases
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema, Service, Slot


def _slot(name: str, *, categorical: bool = False) -> Slot:
    return Slot(name=name, description="", is_categorical=categorical, possible_values=())


SCHEMA = Schema(
    services={
        "Trains_1": Service(
            name="Trains_1",
            description="",
            slots={s.name: s for s in (_slot("from"), _slot("to"), _slot("class", categorical=True))},
            intents=(),
        )
    }
)


def _turn(*acts: Act) -> Example:
    return Example(id="t", service="Trains_1", acts=acts)


def test_only_values_of_non_categorical_slots_are_hard_phrases() -> None:
    turn = _turn(Act("CONFIRM", "to", ("Davis",)), Act("CONFIRM", "class", ("Value",)), Act("REQ", "from"))
    assert hard_phrases(turn, SCHEMA) == ("Davis",)


def test_pseudo_slots_give_no_hard_phrases() -> None:
    turn = _turn(Act("INFORM_COUNT", "count", ("3",)), Act("OFFER_INTENT", "intent", ("BuyTicket",)), Act("GOODBYE"))
    assert hard_phrases(turn, SCHEMA) == ()


def test_whole_numbers_of_other_slots_and_counts_are_number_phrases() -> None:
    turn = _turn(
        Act("INFORM_COUNT", "count", ("3",)),
        Act("OFFER", "class", (" 2 ", "Value", "1.5", "True")),
        Act("OFFER", "class", ("2",)),
        Act("OFFER", "to", ("7",)),
        Act("OFFER_INTENT", "intent", ("BuyTicket",)),
    )
    assert number_phrases(turn, SCHEMA) == ("3", "2")


def test_words_of_categorical_slots_are_category_phrases() -> None:
    turn = _turn(
        Act("INFORM_COUNT", "count", ("3",)),
        Act("OFFER", "class", (" Value ", "2", "True", "dontcare", "None", "")),
        Act("CONFIRM", "class", ("Value",)),
        Act("OFFER", "to", ("Davis",)),
        Act("OFFER_INTENT", "intent", ("BuyTicket",)),
    )
    assert category_phrases(turn, SCHEMA) == ("Value",)


def test_a_value_is_wanted_once_for_each_slot_that_has_it() -> None:
    turn = _turn(
        Act("OFFER", "from", ("Davis", "Davis")), Act("CONFIRM", "from", ("Davis",)), Act("OFFER", "to", ("Davis", ""))
    )
    assert hard_phrases(turn, SCHEMA) == ("Davis", "Davis")


def test_entities_of_acts_leave_out_switches_and_intents() -> None:
    turn = _turn(
        Act("CONFIRM", "class", ("True",)),
        Act("CONFIRM", "to", ("dontcare", " San Jose ", "Davis")),
        Act("OFFER_INTENT", "intent", ("BuyTicket",)),
        Act("OFFER", "from", ("San Jose",)),
    )
    assert entities(turn) == ("San Jose", "Davis")


def test_entities_of_triples_read_underscores_as_blanks_and_skip_table_marks() -> None:
    example = Example(
        id="d",
        triples=(
            Triple("[TABLECONTEXT]", "[TITLE]", "Alan_Bean"),
            Triple("Alan Bean", "friendly", "yes"),
            Triple("Alan_Bean", "BORN", "1932"),
        ),
    )
    assert entities(example) == ("Alan Bean", "1932")


def test_numbers_come_whole_and_in_parts() -> None:
    turn = _turn(Act("OFFER", "from", ("at 12:30", "$4.20")), Act("INFORM_COUNT", "count", ("7",)))
    assert licensed_numbers(turn) == {"12:30", "12", "30", "4.20", "4", "20", "7"}


def test_numbers_of_triples_come_from_all_three_parts() -> None:
    assert licensed_numbers(Example(id="d", triples=(Triple("A1", "2ND", "x3y"),))) == {"1", "2", "3"}
