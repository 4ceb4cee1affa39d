"""Words of the schema: which are pointed at is learnt, and a text with their marks is the text again when filled."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controldag.data.schema_words import SchemaWords, base_form, forms_of, stem_in, with_marks
from controldag.data.value_marks import MarkedValues
from controldag.errors import DataError

# `rating` is repeated whenever an input holds it, `widget` never, and `the` stands in every text anyway.
PAIRS = [("system shops : the widget shop <h> inform <r> rating <t> <v0> 5", "the rating is <v0>")] * 30
PAIRS += [("system shops : the widget shop <h> inform <r> price <t> <v0> 5", "the price is <v0>")] * 30
PAIRS += [("system shops : the widget shop <h> goodbye", "enjoy the day")] * 240
SENTENCES = ["the day is the day", "a price is a price"]


def test_what_texts_repeat_is_pointed_at() -> None:
    rule = SchemaWords.learn(PAIRS, SENTENCES)
    assert rule.of(PAIRS[0][0], 8) == ("rating",)
    assert rule.share("name", "rating", "last") > 0.9 > 0.01 > rule.share("about", "widget", "inner")
    assert rule.share("about", "the", "inner") < 0.01
    # A name that training lacks is judged by names like it, a word of a description by words of descriptions.
    assert rule.of("system shops : the gadget shop <h> inform <r> warranty <t> <v0> 5", 8) == ("warranty",)
    assert rule.of(PAIRS[0][0], 0) == ()


def test_the_rule_is_read_as_it_was_written(tmp_path: Path) -> None:
    rule = SchemaWords.learn(PAIRS, SENTENCES)
    rule.save(tmp_path / "words.json")
    assert SchemaWords.load(tmp_path / "words.json") == rule
    (tmp_path / "words.json").write_text('{"format": "other"}')
    with pytest.raises(DataError, match="no words of schemas"):
        SchemaWords.load(tmp_path / "words.json")


@pytest.mark.parametrize(
    ("word", "form"),
    [("Ratings", "rating"), ("bus", "bus"), ("address", "address"), ("movie's", "movie"), ("this", "this")],
)
def test_base_forms(word: str, form: str) -> None:
    assert base_form(word) == form


def test_a_word_is_found_before_an_ending_and_not_inside_another() -> None:
    assert with_marks("ratings, rating's berating Rating rated", {"rating": "<v16>"}) == (
        "<v16>s, <v16>'s berating Rating rated"
    )
    assert stem_in("served", {"serve"}) == "serve" and stem_in("serving", {"serve"}) is None


def test_inputs_and_texts_have_the_same_marks() -> None:
    values = MarkedValues(("Oak Inn",)).with_words(("hotel", "", "rating"), 16)
    source = "system hotels : book a hotel <h> inform <r> star rating <t> <v0> hotel 5"
    assert values.in_schema(source) == (
        "system <v16> hotels : book a <v16> hotel <h> inform <r> star <v18> rating <t> <v0> hotel 5"
    )
    assert values.in_schema(source, {"hotel": "boat"}).startswith("system <v16> boats : book a <v16> boat <h>")
    assert values.in_text("Oak Inn is a hotel with two ratings.") == "<v0> is a <v16> with two <v18>s."
    assert values.spelled == ("Oak Inn", *[""] * 15, "hotel", "", "rating")


words = st.text("abes ", min_size=1, max_size=4).map(str.strip).filter(bool)


@given(
    st.text("abe s.'", max_size=40), st.lists(words, max_size=3, unique=True), st.lists(words, max_size=3, unique=True)
)
def test_filling_marks_gives_the_text_back(text: str, names: list[str], pointed: list[str]) -> None:
    values = MarkedValues(tuple(names)).with_words(pointed, 4)
    assert values.filled(values.in_text(text)) == text


def test_plurals_of_words_may_be_said() -> None:
    assert list(forms_of(["rating", "", "citie"])) == ["rating", "ratings", "cities"]
