"""A service of one's own from its schema alone: checked, heard, listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import controldag as cd
from controldag.checkpoint.folder import Checkpoint
from controldag.cli.main import app
from controldag.data import samples
from controldag.data.schema import Service, Slot
from controldag.errors import ControlDagError, DataError, InvalidInput
from controldag.generation.odd_input import known_acts
from controldag.generation.sample_turns import TURNS, sample_turns
from controldag.generation.sample_values import sample_value
from controldag.generation.schema_check import advice
from controldag.plain import plain_text

LIBRARY = Path(__file__).parents[3] / "examples" / "library" / "schema.json"
ANSWERS = "Ferries_9\nFind ferries\nport\nPort the ferry leaves from\n\nclass\nClass of the ticket\nfirst, second\n\n\n"


def run(*arguments: object, given: str = "") -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], input=given)
    if isinstance(done.exception, ControlDagError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("path", [LIBRARY, samples.SCHEMA])
def test_turns_go_through_all_slots_and_can_be_said(path: Path) -> None:
    schema = cd.Schema.load(path)
    known = known_acts(Checkpoint.open("sgd-mini").knowledge)
    for service in schema.services.values():
        turns = sample_turns(service)
        assert len(turns) == len({turn.acts for turn in turns}) == TURNS
        named = {act.slot for turn in turns for act in turn.acts}
        assert named >= set(service.slots)
        assert {act.act for turn in turns for act in turn.acts} <= known
        for turn in turns:
            text = plain_text(turn, schema)
            slots = service.slots
            said = [
                v for act in turn.acts if act.slot in slots for v in act.values if not slots[act.slot].is_categorical
            ]
            assert all(value in text for value in said)
            assert len(set(said)) == len(said)
    assert sample_turns(Service("Empty_1")) != []


@pytest.mark.parametrize(
    ("slot", "value"),
    [
        (Slot("due_date", "Date on which the book has to be back"), "May 5th"),
        (Slot("x", "Price of the book"), "$12.50"),
        (Slot("leavingTime", ""), "7:40 am"),
        (Slot("branch", "Branch of the library that has the book"), "Alder & Son"),
        (Slot("class", "", is_categorical=True, possible_values=("first", "second")), "first"),
        (Slot("pets", "", is_categorical=True), "True"),
    ],
)
def test_values_look_like_the_slots(slot: Slot, value: str) -> None:
    assert sample_value(slot) == value != sample_value(slot, 1)


def test_what_a_schema_could_say_better() -> None:
    slots = {"count": Slot("count", "How many"), "a b": Slot("a b"), "k": Slot("k", "Kind", is_categorical=True)}
    yes = {"pets": Slot("pets", "Whether pets may come", possible_values=("True", "False"))}
    told = "\n".join(advice(cd.Schema({"S_1": Service("S_1", "", {**slots, **yes})})))
    for part in (
        "S_1: has no desc",
        "`count` means",
        "S_1.a b: cannot be typed",
        "a b: has no",
        "possible_values",
        "yes",
    ):
        assert part in told
    assert advice(cd.Schema.load(LIBRARY)) == []


def test_a_schema_is_checked_heard_and_told_of(folder: Path) -> None:
    told = json.loads(run("new-service", LIBRARY, "--model", folder, "--no-serve", "--json", "--quiet"))
    assert len(told["turns"]) == TURNS and told["advice"] == []
    texts = [turn["text"] for turn in told["turns"] if "text" in turn]  # the tiny model has few positions
    assert len(texts) >= TURNS - 1 and "The branch is Alder & Son." in texts


def test_without_a_schema_one_is_asked_for(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run("new-service", "--model", folder, "--no-serve", given=ANSWERS)
    assert "OFFER(port=Oban) OFFER(class=first)\n" in shown
    service = cd.Schema.load("schema.json").service("Ferries_9")
    assert service.slot("class").possible_values == ("first", "second") and not service.slot("port").is_categorical
    with pytest.raises(InvalidInput, match="there already"):
        run("new-service", "--no-serve", given=ANSWERS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slots": [{"name": "a", "is_categorical": False}] * 2}, "twice"),
        ({"slots": [{"name": " ", "is_categorical": False}]}, "empty"),
        ({"service_name": ""}, "empty"),
    ],
)
def test_a_bad_schema_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps([{"service_name": "S_1", "slots": [], **change}]))
    with pytest.raises(DataError, match=message):
        run("new-service", path, "--no-serve")


def test_services_slots_and_acts_can_be_listed() -> None:
    assert "Restaurants_1" in run("data", "services")
    card = json.loads(run("data", "services", "Restaurants_1", "--json"))
    assert card["learnt"] and "OFFER" in card["acts"] and "city" in [slot["name"] for slot in card["slots"]]
    own = run("data", "services", "Library_1", "--schema", LIBRARY)
    assert "late_fee" in own and "LendBook" in own and "CONFIRM" in own
    with pytest.raises(InvalidInput, match="Did you mean"):
        run("data", "services", "Restaurant_1")
    with pytest.raises(InvalidInput, match="have services"):
        run("data", "services", "--model", "dart-mini")
