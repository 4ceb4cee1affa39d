"""Acts and triples as typed: what they mean, and where an error stands."""

from __future__ import annotations

import pytest

from controldag.data.act_syntax import parse_act, parse_input, parse_triple, written
from controldag.data.records import Act, Example, Triple
from controldag.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("GOODBYE", Act("GOODBYE")),
        ("GOODBYE()", Act("GOODBYE")),
        ("REQUEST(city)", Act("REQUEST", "city")),
        ("OFFER(name=71 Saint Peter)", Act("OFFER", "name", ("71 Saint Peter",))),
        ("OFFER(name=Bistro (West))", Act("OFFER", "name", ("Bistro (West)",))),
        ("OFFER(name=a=b, c)", Act("OFFER", "name", ("a=b, c",))),
        ("REQUEST(date=today | tomorrow)", Act("REQUEST", "date", ("today", "tomorrow"))),
        (r"OFFER(name=a\|b)", Act("OFFER", "name", ("a|b",))),
        ("INFORM(=hello)", Act("INFORM", "", ("hello",))),
    ],
)
def test_acts(text: str, act: Act) -> None:
    assert parse_act(text) == act
    assert parse_input(text) == act


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("", "▸"),
        ("(name)", "▸(name)"),
        ("OFFER name", "OFFER▸ name"),
        ("OFFER(name=x", "OFFER(name=x▸"),
        ("OFFER(name)x", "OFFER(name)x▸"),
        ("OFFER( name)", "OFFER(▸ name)"),
        ("OFFER(name x)", "OFFER(name▸ x)"),
        ("OFFER(name=)", "OFFER(name=▸)"),
        ("OFFER(name=a|)", "OFFER(name=a|▸)"),
    ],
)
def test_the_place_of_an_error_is_marked(text: str, marked: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_act(text)
    assert f", {marked}:" in str(caught.value)


def test_triples() -> None:
    assert parse_input("Alan Bean | occupation | astronaut") == Triple("Alan Bean", "occupation", "astronaut")
    for text, marked in (("a | b", "a | b▸"), ("a |  | c", "a |▸  | c"), ("a | b | c | d", "a | b | c ▸| d")):
        with pytest.raises(InvalidInput) as caught:
            parse_triple(text)
        assert f", {marked}:" in str(caught.value)


def test_what_is_written_is_read_back() -> None:
    acts = (Act("OFFER", "name", ("a|b", "c")), Act("INFORM", "", ("x|y",)), Act("REQUEST", "city"), Act("GOODBYE"))
    triples = (Triple("Bistro (West)", "a|b", "c | d"), Triple("A=B", "is", "x"), Triple("Bistro(West)", "is", "x"))
    assert tuple(map(parse_input, written(Example("", acts=acts)))) == acts
    assert tuple(map(parse_input, written(Example("", triples=triples)))) == triples
