"""Kinds of values: what each spelling is taken for."""

from __future__ import annotations

import pytest

from controldag.data.value_kinds import KINDS, kind_of


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("money", ["$225", "$1,200.50", "less than £20", "€ 3"]),
        ("time", ["7 pm", "11:15", "half past 11", "morning 11:15", "5 o'clock", "evening", "in the morning"]),
        ("date", ["March 8th", "8th of March", "2019-03-08", "next Tuesday", "Today", "day after tomorrow", "the 3rd"]),
        ("date", ["monday next week", '"1969-09-01"', "3/14/2019"]),
        ("number", ["3", "4.5", "2,000", "75 percent", "5 out of 5"]),
        ("phone", ["925-837-2990", "+1 202-337-6620", "2 9225 1700"]),
        ("numbered name", ["71 Saint Peter", "2301 3rd Avenue", "#1 diner", "45 Park Lane", "7th Heaven"]),
        ("name", ["San Jose", "Al's Place", "Mayfair", "7-Eleven", "The Day the Earth Stood Still at 3 pm", ""]),
    ],
)  # fmt: skip
def test_kinds(kind: str, values: list[str]) -> None:
    assert kind in KINDS
    assert {value: kind_of(value) for value in values} == dict.fromkeys(values, kind)
