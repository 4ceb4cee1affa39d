"""Exact-occurrence rules: learned, applied, saved, and refused when a file makes no sense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controldag.data.occurrence import OccurrenceRules, RelationRole
from controldag.data.records import Example, Triple
from controldag.errors import DataError, InvalidInput


def _entry(subject: str, relation: str, value: str, *references: str) -> Example:
    return Example(id="e", triples=(Triple(subject, relation, value),), references=references)


TRAIN = [
    _entry("Alan Bean", "BORN", "1932", "alan bean was born in 1932.", "Alan Bean, born long ago."),
    _entry("Ann_Lee", "BORN", "1950", "Ann Lee was born in 1950."),
    _entry("[TABLECONTEXT]", "TITLE", "Cups", "Cups are listed."),
]


def test_a_rule_stands_where_the_value_is_in_every_reference() -> None:
    rules = OccurrenceRules.learn(TRAIN, minimum_support=1)
    # BORN's object is missing in one reference; the table marker is no value.
    assert dict(rules.support) == {RelationRole("BORN", "subject"): 3, RelationRole("TITLE", "object"): 1}


def test_minimum_support_is_counted_in_pairs_of_triple_and_reference() -> None:
    assert set(OccurrenceRules.learn(TRAIN, minimum_support=3).support) == {RelationRole("BORN", "subject")}
    assert len(OccurrenceRules.learn(TRAIN, minimum_support=4)) == 0
    with pytest.raises(InvalidInput, match="minimum_support"):
        OccurrenceRules.learn(TRAIN, minimum_support=0)


def test_required_gives_each_phrase_once_in_input_order() -> None:
    rules = OccurrenceRules.learn(TRAIN, minimum_support=1)
    triples = (
        Triple("t", "TITLE", "Two_Cups"),
        Triple("B", "BORN", "1"),
        Triple("B", "BORN", "2"),
        Triple("x", "Y", "z"),
    )
    assert rules.required(Example(id="e", triples=triples)) == ("Two Cups", "B")


def test_saved_rules_come_back_equal(tmp_path: Path) -> None:
    rules = OccurrenceRules.learn(TRAIN, minimum_support=1, source="train.jsonl")
    rules.save(tmp_path / "rules.json")
    assert OccurrenceRules.load(tmp_path / "rules.json") == rules


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"format": "other"}, "format"),
        ({"minimum_support": 0}, "minimum_support"),
        ({"minimum_support": True}, "minimum_support"),
        ({"source": None}, "source"),
        ({"rules": {}}, "rules"),
        ({"rules": ["BORN"]}, r"rules\[0\]"),
        ({"rules": [{"relation": "", "role": "subject", "support": 9}]}, r"rules\[0\].relation"),
        ({"rules": [{"relation": "B", "role": "verb", "support": 9}]}, r"rules\[0\].role"),
        ({"rules": [{"relation": "B", "role": "object", "support": "9"}]}, r"rules\[0\].support"),
        ({"minimum_support": 5, "rules": [{"relation": "B", "role": "object", "support": 4}]}, "at least 5"),
        ({"rules": [{"relation": "B", "role": "object", "support": 4}] * 2}, "repeats"),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    path = tmp_path / "rules.json"
    OccurrenceRules.learn(TRAIN, minimum_support=1).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DataError, match=named):
        OccurrenceRules.load(path)


@pytest.mark.parametrize("content", [b"[]", b"{", b"\xff"])
def test_what_is_no_json_object_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"rules\.json"):
        OccurrenceRules.load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        OccurrenceRules.load(tmp_path / "none.json")
