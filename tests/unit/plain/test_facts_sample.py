"""Invented everyday triples (people, places, products, chemistry, sport, software, events, recipes) and their texts.

The texts were read one by one: a change of a rule that changes one of them is to be read, too, before it is taken over.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controldag.constraints import all_of, contains
from controldag.constraints.check import violations
from controldag.data.phrases import entities
from controldag.data.records import Example, Triple
from controldag.plain.facts import say_facts

SAMPLE = Path(__file__).parent / "samples" / "facts.jsonl"
LINES = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["triples"][0][0])
def test_texts_of_the_sample(line: dict[str, object]) -> None:
    triples = tuple(Triple(*fact) for fact in line["triples"])  # type: ignore[attr-defined]
    text = say_facts(triples)
    assert text == line["text"]
    names = entities(Example("x", triples=triples))
    assert violations(all_of(*(contains(name, whole_word=True, ignore_case=True) for name in names)), text) == ()
