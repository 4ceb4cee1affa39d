"""Values exchanged in acts and reference alike."""

from __future__ import annotations

from controldag.data.exchange import exchangeable, exchanged, is_name
from controldag.data.records import Act, Example
from controldag.data.schema import Schema, Service, Slot

SCHEMA = Schema({"S": Service("S", slots={"a": Slot("a"), "b": Slot("b"), "c": Slot("c", is_categorical=True)})})


def turn(reference: str, *acts: Act) -> Example:
    return Example("1", acts=acts, service="S", references=(reference, "another"))


def test_values_are_exchanged_at_once_and_one_reference_is_kept() -> None:
    example = turn("Go to Rome from Oslo.", Act("INFORM", "a", ("Rome",)), Act("INFORM", "b", ("Oslo",)))
    swapped = exchanged(example, {"Rome": "Oslo", "Oslo": "Rome"})
    assert swapped.references == ("Go to Oslo from Rome.",)
    assert [act.values for act in swapped.acts] == [("Oslo",), ("Rome",)]
    assert exchanged(example, {}).references == ("Go to Rome from Oslo.",)


def test_only_values_that_stand_once_alone_and_in_no_other_value_are_exchangeable() -> None:
    acts = (Act("X", "a", ("Rome", "New Rome", "Oslo")), Act("X", "b", ("Oslo", "Lima")), Act("X", "c", ("Bern",)))
    assert exchangeable(turn("Rome, New Rome, Oslo, Lima, Bern.", *acts), SCHEMA) == {
        "New Rome": "a",
        "Oslo": "a",
        "Lima": "b",
    }
    assert exchangeable(turn("Limassol", Act("X", "a", ("Lima",))), SCHEMA) == {}
    assert exchangeable(turn("Lima Lima", Act("X", "a", ("Lima",))), SCHEMA) == {}


def test_names_begin_with_a_capital_and_hold_no_digit() -> None:
    assert [is_name(value) for value in ("San Jose", "Pier 39", "today", "")] == [True, False, False, False]
