"""Kinds of objects, and the articles and prepositions before them."""

from __future__ import annotations

import pytest

from controldag.plain.facts_the import takes_the
from controldag.plain.facts_values import Kind, article_if_counted, as_time, value_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("48", Kind.NUMBER),
        ("6,120", Kind.NUMBER),
        ("−268.9", Kind.NUMBER),
        ("1926", Kind.NUMBER),
        ("9 hours", Kind.MEASURE),
        ("£449", Kind.MEASURE),
        ("98 per km²", Kind.MEASURE),
        ("225–750 kg", Kind.MEASURE),
        ("less than £20", Kind.MEASURE),
        ("2:14:37", Kind.MEASURE),
        ("21 December", Kind.TIME),
        ("June 1981", Kind.TIME),
        ("8 pm", Kind.TIME),
        ("True", Kind.YES),
        ("no", Kind.NO),
        ("3rd", Kind.TEXT),
        ("81st Guards Rifle Division", Kind.TEXT),
        ("Nile", Kind.TEXT),
        ("2014–15 Topklasse", Kind.TEXT),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    assert value_of(text).kind is kind
    assert kind is Kind.TEXT or value_of(f'"{text}"').kind is kind


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("1926", "in 1926"),
        ("1990-11-03", "on 1990-11-03"),
        ("2 May 2022", "on 2 May 2022"),
        ("March 4, 1927", "on March 4, 1927"),
        ("Saturday, May 4", "on Saturday, May 4"),
        ("March 2008", "in March 2008"),
        ("summer 2010", "in summer 2010"),
        ("1960s", "in the 1960s"),
        ("19th century", "in the 19th century"),
        ("5:05 am", "at 5:05 am"),
        ("noon", "at noon"),
    ],
)
def test_times_behind_their_prepositions(text: str, when: str) -> None:
    assert as_time(value_of(text)).when == when


@pytest.mark.parametrize(
    ("text", "where"),
    [("Norwich", "in Norwich"), ("Main Street", "on Main Street"), ("12 Main Street", "at 12 Main Street")],
)
def test_places_behind_their_prepositions(text: str, where: str) -> None:
    assert value_of(text).where == where


@pytest.mark.parametrize(
    "name",
    [
        "United States",
        "University of Graz",
        "Peace of Westphalia",
        "Nobel Prize in Literature",
        "Oslo Marathon",
        "River Thames",
        "37th Torino Film Festival",
        "2018 Quebec general election",
        "Riverside Derby 2022",
        "English language",
        "Eiffel Tower",
    ],
)
def test_names_with_the(name: str) -> None:
    assert takes_the(name)


@pytest.mark.parametrize(
    "name",
    ["Norway", "Seven Ways to Cross a River", "The Hague", "Lake Tessel", "Ann Lee", "red panda", "Foo (film)", ""],
)
def test_names_without_the(name: str) -> None:
    assert not takes_the(name)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("art gallery", "an art gallery"),
        ("USB-C cable", "a USB-C cable"),
        ("a retired postman", "a retired postman"),
        ("bamboo", "bamboo"),
        ("white wine", "white wine"),
        ("Art Gallery", "Art Gallery"),
        ("art galleries", "art galleries"),
    ],
)
def test_articles_before_counted_nouns(text: str, phrase: str) -> None:
    assert article_if_counted(text) == phrase
