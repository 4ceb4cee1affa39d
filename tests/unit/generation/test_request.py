"""What a request takes, and what it says of what it does not: nothing odd gets as far as the model."""

from __future__ import annotations

from typing import Any

import pytest

import controldag as cd
from controldag.constraints.check import satisfies
from controldag.errors import InvalidInput, OddInput
from controldag.generation.json_requests import request_of
from controldag.generation.length_wish import length_wish
from controldag.generation.result import Result
from controldag.generation.wishes import Wishes
from controldag.pipeline import ControlDag

ACTS = (cd.Act("OFFER", "name", ("Alder Inn",)), cd.Act("OFFER", "city", ("Avon",)))
TYPED = ("OFFER(name=Alder Inn)", "OFFER(city=Avon)")


def test_typed_acts_are_acts(tiny: ControlDag) -> None:
    assert cd.Request(TYPED, "Places_1").example() == cd.Request(ACTS, "Places_1").example()
    assert tiny.generate(TYPED, service="Places_1").text == tiny.generate(ACTS, service="Places_1").text
    triple = cd.Request(["Alan Bean | occupation | astronaut"]).example().triples
    assert triple == (cd.Triple("Alan Bean", "occupation", "astronaut"),)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"constraint": "nice"}, r"constraint.*Write contains\('nice'\)"),
        ({"constraint": ["nice"]}, "constraint"),
        ({"length": "long"}, "length.*8 words|length.*18"),
        ({"length": 1.5}, "length"),
        ({"length": True}, "length"),
        ({"length": "=0 words"}, "minimum"),
        ({"length": "9-8 words"}, "minimum"),
        ({"n_best": "3"}, "n_best"),
        ({"decoder": None}, "decoder"),
        ({"what": "OFFER(city=Avon)"}, "list"),
        ({"what": 5}, "list"),
        ({"what": [5]}, "acts or triples only"),
        ({"what": ["OFFER(city"]}, "▸"),
        ({"what": [*TYPED, "a | b | c"]}, "mixed"),
    ],
)
def test_what_is_wrong_is_told(tiny: ControlDag, given: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {"what": TYPED, "service": "Places_1", **given}
    with pytest.raises(InvalidInput, match=message):
        tiny.generate(**asked)


def test_a_batch_takes_inputs_that_need_no_more(tiny: ControlDag) -> None:
    whole = cd.Example("a", acts=ACTS, service="Places_1")
    found = tiny.generate_batch([whole, cd.Request(TYPED, "Places_1"), TYPED])
    assert [type(each) for each in found] == [Result, Result, InvalidInput]
    assert "service" in str(found[2])
    for bad in (5, None, "OFFER(city=Avon)"):
        with pytest.raises(InvalidInput, match="Request"):
            tiny.generate_batch([bad])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("wish", "words"),
    [("=6 words", range(6, 7)), ("8-9 words", range(8, 10)), ("7- words", range(7, 99)), ("1-5 words", range(1, 6))],
)
def test_length_in_words(tiny: ControlDag, wish: str, words: range) -> None:
    result = tiny.generate(ACTS, service="Places_1", length=wish)
    assert len(result.text.split()) in words and not result.violated
    assert any(each.label.startswith("words(") for each in result.constraints)


@pytest.mark.parametrize(
    ("given", "tokens", "label"),
    [
        (12, cd.Length(target=12), ""),
        ("12 tokens", cd.Length(target=12), ""),
        ("=12", cd.Length(exact=12), "length(=12)"),
        ("8-12", cd.Length(minimum=8, maximum=12), "length(8-12)"),
        ("8-", cd.Length(minimum=8), "length(8-)"),
        (cd.Length(maximum=9), cd.Length(maximum=9), "length(1-9)"),
        (None, None, ""),
    ],
)
def test_lengths_in_tokens(given: Any, tokens: cd.Length | None, label: str) -> None:
    assert length_wish(given) == (tokens, None)
    assert (tokens.label if tokens is not None else "") == label


def test_about_so_many_words_is_a_wish() -> None:
    wish = length_wish("20 words").words
    assert wish is not None and satisfies(wish, "one") and "words(18-22)" in wish.label


def test_a_length_that_is_kept_is_told_and_so_is_one_that_greedy_breaks(tiny: ControlDag) -> None:
    (kept,) = (e for e in tiny.generate(ACTS, service="Places_1", length="=15").constraints if "length" in e.label)
    assert kept.satisfied
    broken = tiny.generate(ACTS, service="Places_1", length="=15", decoder="greedy")
    assert broken.length == 15 or "length(=15)" in broken.violated


def test_order_and_wishes_are_the_same_in_json_and_on_the_line(tiny: ControlDag) -> None:
    record = {"service": "Places_1", "acts": list(TYPED), "in_order": [["Avon", "Alder Inn"]], "prefer": ["which"]}
    request = request_of(record, cd.Request(()))
    assert request.constraint is not None
    wishes = Wishes(in_order=[["Avon", "Alder Inn"]], prefer=["which"]).constraint()
    assert wishes is not None and request.constraint.label == wishes.label
    (result,) = tiny.generate_batch([request])
    assert isinstance(result, Result) and result.text.index("Avon") < result.text.index("Alder Inn")
    assert "which" in result.text


@pytest.mark.parametrize(("name", "nearest"), [("CONFRIM", "CONFIRM"), ("offer", "OFFER"), ("xyzzy", "Known")])
def test_an_unknown_act_is_warned_of(tiny: ControlDag, name: str, nearest: str) -> None:
    acts = [cd.Act(name, "city", ("Avon",))]
    with pytest.warns(OddInput, match=nearest):
        result = tiny.generate(acts, service="Places_1")
    assert len(result.warnings) == 1 and name in result.as_dict()["warnings"][0]
    assert "warning:" in result.explain()
    assert tiny.generate(ACTS, service="Places_1").warnings == ()


def test_no_mark_is_shown_to_who_gives_the_wrong_kind(pointing: ControlDag) -> None:
    with pytest.raises(InvalidInput, match="Alan Bean") as met:
        pointing.generate(["Alan Bean | occupation | astronaut"])
    assert "<v" not in str(met.value)
