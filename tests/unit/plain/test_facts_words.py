"""Names of relations as words, in every style of writing."""

from __future__ import annotations

import pytest

from controldag.plain.facts_words import Relation, relation_of


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("birthPlace", "birth place"),
        ("BirthPlace", "birth place"),
        ("FLOOR_COUNT", "floor count"),
        ("full-time_score", "full-time score"),
        ("former CEO", "former CEO"),
        ("CEO", "CEO"),
        ("LED_BY", "led by"),
        ("ISBN_NUMBER", "ISBN number"),
        ("Home Team", "home team"),
        ("Has parking", "has parking"),
        ("Elo rating", "Elo rating"),
        ("McCune system", "McCune system"),
        ("1ST_RUNWAY_LENGTH", "1st runway length"),
        ("ENGLISH_TITLE", "English title"),
        ("U.S._viewers", "U.S. viewers"),
        ("SEASON_#", "season number"),
        ("TIE_NO", "tie number"),
        ("no smoking", "no smoking"),
        ("RD.", "round"),
        ("PRODUCER(S)", "producer"),
        ("check in", "check-in"),
        ("mayorName", "mayor"),
        ("the author", "author"),
        ("is open?", "is open"),
        ("[TITLE]", "title"),
        ("±%", "percentage change"),
        ("§", "§"),
        ("столица", "столица"),
        ("", ""),
    ],
)
def test_words_of_a_relation(name: str, phrase: str) -> None:
    assert relation_of(name).phrase == phrase


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        ("area_(km2)", Relation(("area",), unit="km²")),
        ("AREA_KM2", Relation(("area",), unit="km²")),
        ("weightKg", Relation(("weight",), unit="kg")),
        ("length in metres", Relation(("length",), unit="metres")),
        ("age in years", Relation(("age",), unit="years")),
        ("VIEWERS_(MILLIONS)", Relation(("viewers",), unit="million")),
        ("population (2010 census)", Relation(("population",), remark="2010 census")),
    ],
)
def test_units_and_remarks(name: str, relation: Relation) -> None:
    assert relation_of(name, of_number=True) == relation


def test_a_unit_at_the_end_belongs_to_a_number_only() -> None:
    assert relation_of("weightKg").phrase == "weight kg"


def test_tables_know_both_spellings() -> None:
    assert relation_of("favoriteColor").key == "favorite colour"
    assert relation_of("Head-Organizer").key == "head organiser"
