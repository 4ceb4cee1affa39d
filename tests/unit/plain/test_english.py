"""Words of names, articles, numbers, verb forms, lists and ends of sentences."""

from __future__ import annotations

import pytest

from controldag.plain.english import (
    base_form,
    counted,
    decapitalised,
    gerund,
    indefinite,
    is_plural,
    joined,
    participle,
    past,
    plural,
    possessive,
    sentence,
    singular,
    spelled_out,
    third_person,
    words_of,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("studentOf", "student of"),
        ("BACKUP_PILOT", "backup pilot"),
        ("price-per-night", "price per night"),
        ("HTTPPort", "HTTP port"),
        ("donor's card", "donor's card"),
        ("has_wifi", "has Wi-Fi"),
        ("address2", "address 2"),
        ("__in__dt__", "in dt"),
        ("", ""),
    ],
)
def test_words_of_names(name: str, words: str) -> None:
    assert " ".join(words_of(name)) == words


def test_abbreviations_are_written_out() -> None:
    assert spelled_out(("min", "addr", "shop", "dob")) == ("minimum", "address", "shop", "date", "of", "birth")


@pytest.mark.parametrize(
    ("phrase", "article"),
    [
        *(
            ("hour", "an"),
            ("unique idea", "a"),
            ("umbrella", "an"),
            ("MRI scan", "an"),
            ("SUV", "an"),
            ("USB stick", "a"),
        ),
        *(
            ("8-seater", "an"),
            ("11 am slot", "an"),
            ("18th hole", "an"),
            ("one-way ticket", "a"),
            ("uninsured car", "an"),
        ),
        *(("“apple”", "an"), ("", "a"), ("東京", "a")),
    ],
)
def test_a_or_an(phrase: str, article: str) -> None:
    assert indefinite(phrase) == article


@pytest.mark.parametrize(
    ("one", "many"),
    [
        *(("workshop", "workshops"), ("city", "cities"), ("bus", "buses"), ("child", "children"), ("day", "days")),
        *(("grape variety", "grape varieties"), ("aircraft", "aircraft"), ("person", "people"), ("movie", "movies")),
        *(("box", "boxes"), ("half", "halves"), ("spokesman", "spokesmen")),
    ],
)
def test_numbers(one: str, many: str) -> None:
    assert plural(one) == many
    assert plural(many) == many
    assert singular(many) == one
    assert counted("1", many) == f"1 {one}"
    assert counted("5", one) == f"5 {many}"


def test_words_in_s_that_are_singular() -> None:
    assert not any(map(is_plural, ("address", "bus", "gas", "news", "tennis", "campus", "fitness", "GPS")))


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("book", "books booked booked booking"),
        ("arrive", "arrives arrived arrived arriving"),
        ("carry", "carries carried carried carrying"),
        ("set", "sets set set setting"),
        ("write", "writes wrote written writing"),
        ("be", "is was been being"),
        ("prefer", "prefers preferred preferred preferring"),
        ("need", "needs needed needed needing"),
        ("stop", "stops stopped stopped stopping"),
    ],
)
def test_verb_forms(verb: str, forms: str) -> None:
    assert f"{third_person(verb)} {past(verb)} {participle(verb)} {gerund(verb)}" == forms
    assert {base_form(form) for form in forms.split()} == {verb}


def test_lists() -> None:
    assert joined(["a"]) == "a"
    assert joined(["a", "b"], "or") == "a or b"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert joined(["Flat 3, Row 8", "b"]) == "Flat 3, Row 8; and b"
    assert joined(["a", "b and c", "d"]) == "a, b and c, and d"


def test_sentences_end_once() -> None:
    assert sentence("it is in Market St.") == "It is in Market St."
    assert sentence('the note is "Wow!"') == 'The note is "Wow!"'
    assert sentence("which city", "?") == "Which city?"


def test_small_letters_and_genitives() -> None:
    assert decapitalised("Estimated cost") == "estimated cost"
    assert decapitalised("CEFR level") == "CEFR level"
    assert decapitalised("I pay") == "I pay"
    assert possessive("James") == "James's"
    assert possessive("guests") == "guests'"
