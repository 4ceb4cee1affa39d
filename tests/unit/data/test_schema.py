"""Schemas: what counts for the slot error rate, and what is wrong with a schema file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controldag.data import samples
from controldag.data.schema import Schema, find_schemas
from controldag.errors import DataError, InvalidInput


def test_what_counts() -> None:
    schema = Schema.load(samples.SCHEMA)
    assert schema.is_non_categorical("Ferries_1", "fare")
    for slot in ("takes_cars", "", "count", "intent", "nowhere"):
        assert not schema.is_non_categorical("Ferries_1", slot)
    with pytest.raises(InvalidInput, match="Did you mean Ferries_1"):
        schema.is_non_categorical("Ferries", "fare")


def test_contents() -> None:
    service = Schema.load(samples.FOLDER).service("Bakeries_1")
    assert service.slot("bread").possible_values == ("rye", "wheat", "spelt")
    assert service.slot("bread").is_categorical
    assert [intent.name for intent in service.intents] == ["FindBakery", "OrderBread"]
    with pytest.raises(InvalidInput, match="Did you mean bread"):
        service.slot("bred")


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def test_union_and_conflict(tmp_path: Path) -> None:
    slot = {"name": "a", "is_categorical": True}
    write(tmp_path / "train" / "schema.json", [{"service_name": "A", "slots": [slot]}])
    write(
        tmp_path / "dev" / "schema.json", [{"service_name": "A", "slots": [slot]}, {"service_name": "B", "slots": []}]
    )
    (tmp_path / "dev.jsonl").touch()
    assert set(Schema.load(tmp_path).services) == {"A", "B"}
    assert find_schemas(tmp_path / "dev.jsonl") == (tmp_path / "dev/schema.json", tmp_path / "train/schema.json")
    write(tmp_path / "test" / "schema.json", [{"service_name": "A", "slots": []}])
    with pytest.raises(DataError, match="defined differently"):
        Schema.load(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "must be a list of services"),
        ([3], r"\[0\].*must be an object"),
        ([{"slots": []}], r"\[0\]\.service_name.*missing"),
        ([{"service_name": "A"}], r"\[0\]\.slots.*missing"),
        ([{"service_name": "A", "slots": {}}], r"\[0\]\.slots`: must be a list, but is an object"),
        ([{"service_name": "A", "slots": [], "intents": [3]}], r"\[0\]\.intents\[0\]`: must be an object"),
        ([{"service_name": "A", "slots": [{"name": "a"}]}], r"slots\[0\]\.is_categorical.*missing"),
        (
            [{"service_name": "A", "slots": [{"name": "a", "is_categorical": "no"}]}],
            "must be a boolean, but is a str",
        ),
    ],
)
def test_bad_schema(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Schema.load(write(tmp_path / "schema.json", content))


def test_unreadable_schemas(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        Schema.load(tmp_path / "schema.json")
    with pytest.raises(DataError, match=r"no schema\.json"):
        Schema.load(tmp_path)
    with pytest.raises(InvalidInput, match="at least one schema"):
        Schema.load()
    (tmp_path / "schema.json").write_bytes(b"[\n{]")
    with pytest.raises(DataError, match=r"schema\.json:2: invalid JSON"):
        Schema.load(tmp_path)
    (tmp_path / "schema.json").write_bytes(b"[" * 100_000)
    with pytest.raises(DataError, match="JSON that cannot be read"):
        Schema.load(tmp_path)
    (tmp_path / "schema.json").write_bytes(b"\xff")
    with pytest.raises(DataError, match="not UTF-8"):
        Schema.load(tmp_path)
