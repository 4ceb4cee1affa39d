"""What constraints ask for, in words."""

from __future__ import annotations

import pytest

import controldag as cd
from controldag.constraints import Constraint, words
from controldag.constraints.in_words import in_words


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        (cd.contains("San Jose"), "say “San Jose”"),
        (cd.contains("now", at_least=2), "say “now” twice"),
        (~cd.contains("pm"), "not say “pm”"),
        (cd.contains("now", at_least=0, at_most=1), "say “now” at most once"),
        (cd.any_of("sails", "departs"), "say “sails” or “departs”"),
        (cd.in_order("from", "to", "at"), "say “from”, then “to”, then “at”"),
        (cd.contains("nice").soft(2), "say “nice”, if it can be"),
        (cd.contains("a") | ~cd.contains("b"), "say “a” or not say “b”"),
        (cd.pattern(r"\d+ pm"), r"hold a match of \d+ pm"),
        (cd.pattern("a+", full=True), "be a match of a+"),
        (cd.vocabulary(["a"]), "use only known words, and names and numbers of the input"),
        (words(8, 12), "have 8 to 12 words"),
        (words(5, 5).soft(1), "have exactly 5 words, if it can be"),
        (words(3), "have at least 3 words"),
    ],
)
def test_a_demand_is_said_as_people_say_it(constraint: Constraint, said: str) -> None:
    assert in_words(constraint) == said


def test_bounds_of_the_length_are_said_too() -> None:
    assert cd.Length(exact=9).in_words == "have exactly 9 tokens"
    assert cd.Length(maximum=9).in_words == "have at most 9 tokens"
    assert cd.Length(target=9).in_words == ""
