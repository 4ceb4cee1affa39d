"""Texts that are right, to learn from: services and facts that are put together anew."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controldag.data.phrases import hard_phrases
from controldag.data.read import read_examples
from controldag.data.records import Act, Example, Triple
from controldag.data.rewording import load_wordings
from controldag.data.schema import Schema, Slot
from controldag.training.mixture import FACTS, INVENTED, Marking, Material, Writer
from recipes.__main__ import app
from recipes.teach.facts import invented_facts, styled
from recipes.teach.services import CHOICE, OPEN, SWITCH, Inventor, KnownSlot, invented, kind_of
from recipes.teach.telling import inputs_to_tell
from tests.unit.training.small_data import make_data

RELATION = KnownSlot(Slot("place_of_birth"), OPEN, ("Oslo", "Bergen"))
FACT = Example("r", triples=(Triple("Ada", "place of birth", "Oslo"),), references=("Ada was born in Oslo.",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_data(tmp_path_factory.mktemp("data"))
    triples = made / "corpora" / "triples" / "rel2text.jsonl.gz"
    triples.parent.mkdir(parents=True)
    row = {"id": "r", "triples": [["Ada", "place of birth", "Oslo"]], "text": "Ada was born in Oslo.", "split": "train"}
    with gzip.open(triples, "wt", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    return made


@pytest.fixture(scope="module")
def inventor(folder: Path) -> Inventor:
    schema = Schema.load(folder / "sgd" / "train" / "schema.json")
    turns = list(read_examples(folder / "sgd" / "train.jsonl.gz", for_training=True))
    return Inventor.of(schema, load_wordings(schema, folder / "corpora" / "sgdx", "train"), turns, [RELATION])


def test_invented_turns_say_all_their_values_plainly(inventor: Inventor) -> None:
    made = list(invented(inventor, 60, random.Random(1)))
    assert len(made) == 60 and len({service.name for _, service in made}) > 2
    for turn, service in made:
        schema = Schema({service.name: service})
        assert turn.service == service.name and turn.acts
        for phrase in hard_phrases(turn, schema):
            assert phrase in turn.target
    slots = {slot for _, service in made for slot in service.slots}
    assert "place_of_birth" in slots and len(slots) > 5, "wordings and relations are slots, too"


def test_the_same_seed_invents_the_same(inventor: Inventor) -> None:
    first, again = (list(invented(inventor, 10, random.Random(4))) for _ in range(2))
    assert first == again


def test_kinds_of_slots() -> None:
    assert kind_of(Slot("a", is_categorical=True), ["True", "False"]) == SWITCH
    assert kind_of(Slot("a", is_categorical=True), ["2", "3"]) == CHOICE
    assert kind_of(Slot("a"), ["True"]) == OPEN


def test_patterns_with_values_that_are_not_said_are_left_out(inventor: Inventor) -> None:
    turn = Example("a", acts=(Act("INFORM", "city", ("dontcare",)),), service="Places_1", references=("Anywhere.",))
    schema = Schema({service.name: service for service in inventor.services[:1]})
    assert not Inventor.of(schema, [], [turn], []).patterns


def test_facts_are_said_of_one_subject() -> None:
    known = [FACT, Example("s", triples=(Triple("Bo", "occupation", "baker"),), references=("Bo is a baker.",))]
    for example in invented_facts(known, 12, random.Random(2)):
        assert len({triple.subject for triple in example.triples}) == 1
        assert all(triple.object in example.target for triple in example.triples)


@pytest.mark.parametrize(
    ("style", "name"),
    [("spaced", "place of birth"), ("camel", "placeOfBirth"), ("snake", "place_of_birth"), ("upper", "PLACE_OF_BIRTH")],
)
def test_styles_of_relations(style: str, name: str) -> None:
    assert styled("place of birth", style) == name


def test_inputs_to_tell_are_sets_of_triples_and_parts_of_them() -> None:
    one, two = Triple("a", "r", "b"), Triple("a", "s", "c")
    whole = Example("x", triples=(one, two), references=("A text.",))
    found = inputs_to_tell([whole, whole], 5, random.Random(1))
    assert [set(example.triples) for example in found[:1]] == [{one, two}]
    assert len(found) == 2 and len(found[1].triples) == 1 and not any(example.references for example in found)


def test_what_is_written_is_a_part_of_a_mixture(folder: Path) -> None:
    for part, count in ((INVENTED, "30"), (FACTS, "5")):
        result = CliRunner().invoke(app, ["teach", part, str(folder), "--count", count, "--json"])
        assert result.exit_code == 0, result.output
    material = Material.read(folder, frozenset((INVENTED, FACTS)))
    assert len(material.parts[INVENTED]) == 30 and len(material.parts[FACTS]) == 5
    writer = Writer(material, Marking(4, 0, None))
    pairs = [pair for each in material.parts[INVENTED] for pair in writer.pairs(INVENTED, each, random.Random(1))]
    assert len(pairs) == 30 and all(source.startswith("system ") for source, _ in pairs)
