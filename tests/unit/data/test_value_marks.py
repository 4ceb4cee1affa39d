"""Value marks: what the model reads and writes instead of values, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controldag.data.records import Act, Example, Triple
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.training.toy import SCHEMA, toy_examples
from tests.unit.data.test_phrases import SCHEMA as TRAINS

TRIPLES = Example(
    "t", triples=(Triple("Alan_Bean", "birthPlace", "Wheeler, Texas"), Triple("Alan_Bean", "alive", "no"))
)


def test_subjects_and_objects_are_marked_once_and_named_once() -> None:
    values = MarkedValues.of(TRIPLES, None, 16)
    assert values.values == ("Alan Bean", "Wheeler, Texas")
    first, second = values.in_input(TRIPLES).triples
    assert first == Triple("<v0> Alan Bean", "birthPlace", "<v1> Wheeler, Texas")
    assert second == Triple("<v0>", "alive", "no")


def test_only_so_many_values_are_marked() -> None:
    values = MarkedValues.of(TRIPLES, None, 1)
    assert values.values == ("Alan Bean",)
    assert values.in_input(TRIPLES).triples[0].object == "Wheeler, Texas"
    assert MarkedValues.of(TRIPLES, None, 0) == MarkedValues()


def test_the_model_reads_the_beginning_of_a_long_value() -> None:
    values = MarkedValues(("one two three four", "x" * 10_000))
    example = Example("a", acts=(Act("INFORM", "name", values.values),))
    assert values.in_input(example).acts[0].values == ("<v0> one two three", "<v1> " + "x" * 12)
    assert values.in_input(example, hints=False).acts[0].values == ("<v0>", "<v1>")


@pytest.mark.parametrize(
    ("values", "text", "marked"),
    [
        (("San Jose", "San"), "San Jose or San?", "<v0> or <v1>?"),
        (("5",), "It is 5, not 55 or 5th.", "It is <v0>, not 55 or 5th."),
        (("$10",), "That is $10.", "That is <v0>."),
        (("a.b",), "axb a.b", "axb <v0>"),
        ((), "Nothing", "Nothing"),
    ],
)
def test_whole_words_only_and_the_longer_first(values: tuple[str, ...], text: str, marked: str) -> None:
    assert MarkedValues(values).in_text(text) == marked
    assert MarkedValues(values).filled(marked) == text


def test_a_mark_without_a_value_goes() -> None:
    assert MarkedValues(("a",)).filled("<v0> <v1> b") == "a  b"


def test_every_target_of_the_toy_task_comes_back() -> None:
    for example in toy_examples(200, 1):
        values = MarkedValues.of(example, SCHEMA, 16)
        assert values.filled(values.in_text(example.target)) == example.target


@given(
    st.lists(st.text(st.characters(exclude_characters="<>"), min_size=1, max_size=8), max_size=5, unique=True),
    st.text(st.characters(exclude_characters="<>"), max_size=40),
)
def test_marking_and_filling_are_inverse(values: list[str], text: str) -> None:
    marked = MarkedValues(tuple(values))
    assert marked.filled(marked.in_text(text)) == text


def test_values_of_categorical_slots_are_marked_in_both_cases_where_asked() -> None:
    acts = (
        Act("OFFER", "to", ("Davis",)),
        Act("OFFER", "class", ("Business",)),
        Act("CONFIRM", "class", ("Business",)),
    )
    turn = Example(id="t", service="Trains_1", acts=(*acts, Act("INFORM_COUNT", "count", ("2",))))
    assert MarkedValues.of(turn, TRAINS, 16).values == ("Davis",)
    values = MarkedValues.of(turn, TRAINS, 16, "values")
    assert values.values == ("Davis", "Business", "business", "2")
    read = values.in_input(turn)
    assert [act.values for act in read.acts] == [("<v0> Davis",), ("<v1> <v2> Business",), ("<v1>",), ("<v3> 2",)]
    assert values.in_text("2 business seats to Davis, Business") == "<v3> <v2> seats to <v0>, <v1>"


def test_what_is_marked_has_a_name() -> None:
    with pytest.raises(InvalidInput, match="names, values"):
        MarkedValues.of(Example(id="t"), TRAINS, 16, "all")
