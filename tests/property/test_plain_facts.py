"""Plain sentences of random triples: everything is said at a word border, and nothing of a name's style is left."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from controldag.constraints import all_of, contains
from controldag.constraints.check import violations
from controldag.data.phrases import entities
from controldag.data.records import Example, Triple
from controldag.plain.facts import say_facts

_NAMES = """
birthPlace|dateOfBirth|OCCUPATION|studentOf|located_in|is part of|isPartOf|has nickname|ENDED|commissioned|built in
number of employees|ships with|suitable for|FLOOR_COUNT|leaderName|full-time score|area (km²)|eatType|familyFriendly
priceRange|near|type|genre|country|colour|HEIGHT|former CEO|award|served|first aired|took office|written by|contains
hasPart|was a crew member of|year|[TITLE]|±%|столица|2011|over|spoken in|member of military unit|race|starring|age
diet|instrument|river|pets allowed|can fly|U.S._VIEWERS_(MILLIONS)|max participants|is_open|region|city|licence|date
"""
RELATIONS = [name for line in _NAMES.strip().splitlines() for name in line.split("|")]
NAMES = st.sampled_from(
    [
        "Ilsa Varga",
        "red panda",
        "iBrew 3",
        "The Eagle",
        "gold",
        "Peace of Westphalia",
        "Lorain, Ohio",
        "C++",
        "2 May 2022",
    ]
) | st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=30)
VALUES = NAMES | st.sampled_from(
    [
        "48",
        "1926",
        "1990-11-03",
        "9 hours",
        "£449",
        "yes",
        "no",
        "True",
        "false",
        "astronaut",
        "a retired postman",
        "2–2",
    ]
)
LETTERS_OR_DIGITS = re.compile(r"[^\W_]")
SAYABLE = st.text("abcXYZ 09_-'\"(){}", min_size=1, max_size=20) | st.sampled_from(RELATIONS)


def triples() -> st.SearchStrategy[list[Triple]]:
    fact = st.builds(
        Triple,
        NAMES.filter(lambda text: bool(text.replace("_", " ").strip())),
        SAYABLE.filter(lambda text: bool(LETTERS_OR_DIGITS.search(text))),
        VALUES.filter(lambda text: bool(text.replace("_", " ").strip())),
    )
    return st.lists(fact, min_size=1, max_size=6)


@settings(max_examples=200, deadline=None)
@given(triples())
def test_every_name_stands_at_word_borders(facts: list[Triple]) -> None:
    text = say_facts(facts)
    names = entities(Example("x", triples=tuple(facts)))
    wanted = [contains(name, whole_word=True, ignore_case=True) for name in names]
    assert not wanted or violations(all_of(*wanted), text) == ()
    assert re.search(r"[.!?…][\"'”’)\]]*$", text)
    assert say_facts(facts) == text


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(RELATIONS), VALUES), min_size=1, max_size=5))
def test_nothing_of_a_names_style_is_left(facts: list[tuple[str, str]]) -> None:
    said = [Triple("Ilsa Varga", name, value) for name, value in facts if value.replace("_", " ").strip()]
    if not said:
        return
    text = say_facts(said)
    for triple in said:
        text = text.replace(triple.object.replace("_", " ").strip(), "")
    assert "_" not in text
    assert re.search(r"[a-z][A-Z]", text.replace("iBrew", "")) is None


def test_forty_triples_take_no_time() -> None:
    facts = [Triple(f"Name {i % 7}", RELATIONS[i % len(RELATIONS)], "x y" * (50 + i)) for i in range(40)]
    start = time.perf_counter()
    text = say_facts(facts)
    assert time.perf_counter() - start < 1.0
    assert len(text) < 3 * sum(len(fact.subject) + len(fact.relation) + len(fact.object) + 20 for fact in facts)
