"""Markup by construction: no text of a user gets out of its place."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from controldag.constraints.check import Checked
from controldag.drawing.marked_text import marked
from controldag.drawing.markup import Markup, element, joined, visible
from controldag.drawing.svg import shortened

HOSTILE = "<script>alert('&')</script>\"\0\n\x1b\x9f\ud800\uffff☃"


def test_text_and_attributes_come_back_as_they_were_but_for_what_xml_cannot_hold() -> None:
    made = element("p", HOSTILE, Markup("<b>bold</b>"), class_="x", title=HOSTILE)
    tree = ElementTree.fromstring(made)
    assert tree.text == tree.get("title") == visible(HOSTILE)
    assert visible(HOSTILE) == "<script>alert('&')</script>\"␀␊␛���☃"
    assert [child.tag for child in tree] == ["b"]
    assert tree.get("class") == "x"


def test_numbers_are_short_and_missing_attributes_left_out() -> None:
    assert element("r", x=1.0, stroke_width=2 / 3, rx=None, y=0) == '<r x="1" stroke-width="0.67" y="0"></r>'


def test_places_are_marked_once_where_they_overlap() -> None:
    made = marked("a<b>c", [Checked("", True, ((1, 4),), "first"), Checked("", True, ((3, 5),), "<second>")])
    tree = ElementTree.fromstring(element("p", made))
    assert "".join(tree.itertext()) == "a<b>c"
    assert [(mark.text, mark.get("title")) for mark in tree] == [
        ("<b", "first"),
        (">", "first, <second>"),
        ("c", "<second>"),
    ]
    assert marked("plain", []) == "plain"


@pytest.mark.parametrize(("text", "short"), [("", ""), ("iii", "iii"), ("wwwwwwww", "ww…"), ("restaurant", "rest…")])
def test_long_tokens_are_cut(text: str, short: str) -> None:
    assert shortened(text, 40) == short


def test_joining_escapes_what_is_not_markup() -> None:
    assert joined("<", Markup("<br>")) == "&lt;<br>"
