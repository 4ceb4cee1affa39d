"""Corpora beside SGD and DART: lines become examples, and their schema is what their texts show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controldag.data.corpora import read_corpus, says_its_values, schema_of
from controldag.data.records import Act, Triple
from controldag.errors import DataError

ACTS = [
    {"act": "INFORM", "slot": "name", "values": ["Oak Inn"]},
    {"act": "INFORM", "slot": "has pool", "values": ["yes"]},
]


def _file(folder: Path, *records: Any) -> Path:
    path = folder / "corpus.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_lines_become_examples(tmp_path: Path) -> None:
    first = {"id": "1", "acts": ACTS, "text": "Oak Inn has a pool. ", "speaker": "user", "domain": "hotel"}
    second = {"id": "2", "triples": [["a", "b", "c"]], "text": "a is b of c", "rel_desc": "not read"}
    third = {"id": "3", "acts": ACTS, "text": "oak inn", "speaker": "system", "domain": "hotel", "case": "lower"}
    left_out = [{"id": "4", "text": "no acts"}, {"id": "5", "acts": ACTS, "text": "x", "service": ["A_1", "B_1"]}]
    acts, triples, lower = read_corpus(_file(tmp_path, first, second, third, *left_out))
    assert acts.speaker == "user" and acts.service == "hotel" and acts.target == "Oak Inn has a pool."
    assert acts.acts == (Act("INFORM", "name", ("Oak Inn",)), Act("INFORM", "has pool", ("yes",)))
    assert triples.triples == (Triple("a", "b", "c"),) and lower.speaker == "lowercase-system"


@pytest.mark.parametrize(
    "record", [[], {"id": "1", "triples": [["a", "b"]], "text": "t"}, {"id": "1", "acts": 5, "text": "t"}]
)
def test_what_is_no_record_is_refused(tmp_path: Path, record: Any) -> None:
    with pytest.raises(DataError, match=r"corpus\.jsonl"):
        list(read_corpus(_file(tmp_path, record)))


def test_slots_whose_values_are_always_said_have_to_be_said(tmp_path: Path) -> None:
    record = {"id": "1", "acts": ACTS, "text": "Oak Inn has a pool.", "domain": "hotel"}
    (example,) = read_corpus(_file(tmp_path, record))
    schema = schema_of([example])
    assert schema.is_non_categorical("hotel", "name") and not schema.is_non_categorical("hotel", "has pool")
    assert says_its_values(example, schema)
    (silent,) = read_corpus(_file(tmp_path, {**record, "text": "It has a pool."}))
    assert not says_its_values(silent, schema)
