"""Strict slot errors: whole words, case, and a place for each value."""

from __future__ import annotations

import pytest

from controldag.data import samples
from controldag.data.records import Act, Example
from controldag.data.schema import Schema
from controldag.metrics.strict_slots import have_places, strict_slot_measures, strict_values

SCHEMA = Schema.load(samples.SCHEMA)


@pytest.mark.parametrize(
    ("values", "text", "fits"),
    [
        ([], "", True),
        (["2"], "for 2.", True),
        (["2"], "for 25", False),
        (["2"], "at 12", False),
        (["Oban"], "to oban", False),
        (["Oban", "Oban"], "from Oban to Oban", True),
        (["Oban", "Oban"], "from Oban", False),
        (["Port", "Port Ellen"], "Port Ellen", False),
        (["Port", "Port Ellen"], "Port Ellen, the Port", True),
        (["Port", "Port Ellen"], "the Port, Port Ellen", True),
        # Taking the first place for `b` leaves none for `a b`: only a search over both finds the way.
        (["b", "a b"], "a b b", True),
        (["a a", "a"], "a a a", True),
        (["a a", "a a"], "a a a", False),
        (["$5"], "it is $5", True),
        (["$5"], "it is US$5", True),
        (["$5"], "it is $5x", False),
        (["Café"], "the Café's", True),
        (["Cafe"], "the Cafe\N{COMBINING ACUTE ACCENT}", False),
        (["a_b"], "a_b_c", False),
    ],
)
def test_places(values: list[str], text: str, fits: bool) -> None:
    assert have_places(values, text) is fits


def test_many_colliding_values_are_placed_in_no_time() -> None:
    values = [" ".join(["a"] * size) for size in range(1, 13)]
    assert have_places(values, " ".join(["a"] * sum(range(1, 13))))
    assert not have_places(values, " ".join(["a"] * (sum(range(1, 13)) - 1)))


def test_a_slot_asks_once_for_a_value_and_two_slots_twice() -> None:
    acts = (
        Act("OFFER", "to_port", ("Oban",)),
        Act("CONFIRM", "to_port", (" Oban ",)),
        Act("OFFER", "from_port", ("Oban", "")),
    )
    example = Example("x", (*acts, Act("INFORM", "takes_cars", ("True",))), service="Ferries_1")
    assert strict_values(example, SCHEMA) == ["Oban", "Oban"]
    more = Example("y", (Act("REQ_MORE"),), service="Ferries_1")
    strict, applicable = strict_slot_measures([example, more, more], ["to Oban", "", "x"], SCHEMA)
    assert (strict.value(), applicable.value()) == (pytest.approx(100 / 3), 100.0)
    assert "whole words" in strict.signature
