"""A mixture of parts: every copy drawn anew, the corpus as training reads it, and the model opened as a checkpoint."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controldag import Act, ControlDag, Triple
from controldag.checkpoint.packaging import package
from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.text.tokenizer import Tokenizer
from controldag.training.corpus import Corpus
from controldag.training.mixture import Disguise, Marking, Material, Writer, without_service
from controldag.training.options import DataOptions
from controldag.training.prepare_mixture import learn_rule, prepare_mixture
from controldag.training.run import TrainingRequest, run
from tests.unit.training.small_data import make_data
from tests.unit.training.tiny_run import TINY, tiny_yaml

PARTS = {"sgd": 2, "dart": 1, "infill": 1, "rebuild": 1}
OPTIONS = DataOptions("mixture", "full", vocabulary=420, value_marks=4, word_marks=6, mixture=PARTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def material(folder: Path) -> Material:
    return Material.read(folder, frozenset(PARTS))


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    return prepare_mixture(OPTIONS, folder, None, lambda text: None)


def test_a_turn_is_read_in_many_wordings_and_says_the_same(material: Material) -> None:
    rule = learn_rule(material, OPTIONS)
    writer = Writer(material, Marking(4, 6, rule))
    turn = Example(
        "a", acts=(Act("OFFER", "name", ("Elm House",)),), service="Places_1", references=("How about Elm House?",)
    )
    chance = random.Random(1)
    pairs = [writer.pairs("sgd", turn, chance)[0] for _ in range(200)]
    names = {source.partition("<r> ")[2].partition(" <t>")[0].partition(" :")[0] for source, _ in pairs}
    assert {name.split("> ")[-1] for name in names} >= {"name", "title", "label", "named", "called", "place name"}
    assert {target for _, target in pairs} == {"How about <v0>?"}
    assert any(source.startswith("system : ") for source, _ in pairs), "some services are not named"
    assert len({source for source, _ in pairs}) > 20


def test_words_that_both_sides_share_are_exchanged_on_both(material: Material) -> None:
    writer = Writer(material, Marking(4, 6, learn_rule(material, OPTIONS)), Disguise(0, 0, 1.0, 0, 0))
    (example,) = material.parts["dart"][:1]
    shown = {writer.pairs("dart", example, random.Random(seed))[0] for seed in range(60)}
    words = {source.partition("<r> ")[2].partition(" <t>")[0].split("> ")[-1] for source, _ in shown}
    assert len(words) > 2 and all("birth" not in target and "place" not in target for _, target in shown)


def test_a_service_loses_its_name_only() -> None:
    assert (
        without_service("system places ; find place : where to go <h> bye")
        == "system ; find place : where to go <h> bye"
    )
    assert without_service("system places <h> bye") == "system <h> bye"


def test_the_corpus_has_every_copy_of_every_part(corpus: Corpus, folder: Path) -> None:
    assert len(corpus.train) == 2 * 300 + 60 + 2 * 4 and len(corpus.dev) == 20
    expected = corpus.train.expected
    assert expected is not None and len(expected) == len(corpus.train)
    assert abs(expected - corpus.train.targets.lengths).mean() < 3
    assert set(corpus.prepared.length_weights or {}) == {"acts", "triples", "infill", "rebuild"}
    again = prepare_mixture(OPTIONS, folder, corpus.tokenizer_model, lambda text: None)
    assert (again.train.sources.tokens == corpus.train.sources.tokens).all()


def test_development_inputs_fill_to_their_references(corpus: Corpus) -> None:
    tokenizer = Tokenizer(corpus.tokenizer_model)
    for index, reference in enumerate(corpus.references):
        text = tokenizer.surface(corpus.dev.targets[index][1:-1])
        for number, value in enumerate(reference.values):
            text = text.replace(f"<v{number}>", value)
        assert text == reference.references[0]


def test_parts_have_to_be_known(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="mixture"):
        Material.read(folder, frozenset({"poems"}))


def test_a_model_is_trained_continued_and_opened_for_acts_and_triples(folder: Path, tmp_path: Path) -> None:
    model = {**TINY["model"], "vertices_per_length": 2.0, "max_positions": 96}
    data = {
        "dataset": "mixture",
        "lineariser": "full",
        "vocabulary": 420,
        "value_marks": 4,
        "word_marks": 6,
        "mixture": PARTS,
    }
    batch = {"tokens": 1000, "step": 8, "least_share": 0.1, "source_step": 16}
    config = tiny_yaml(tmp_path, model=model, data=data, batch=batch, steps=3)
    first = TrainingRequest(str(config), tmp_path / "base", tmp_path / "prepared", folder, device="cpu", quiet=True)
    assert run(first)["dev"]
    (tmp_path / "next").mkdir()
    more = tiny_yaml(
        tmp_path / "next", model={}, init=str(tmp_path / "base" / "final"), data=data, batch=batch, steps=2
    )
    run(TrainingRequest(str(more), tmp_path / "run", tmp_path / "prepared", folder, device="cpu", quiet=True))
    package(tmp_path / "run", folder, tmp_path / "packed")
    places = ControlDag.from_pretrained(tmp_path / "packed")
    acts = [Act("OFFER", "name", ("Elm House",)), Act("OFFER", "city", ("Esk",))]
    said = places.generate(acts, service="Places_1").text
    assert "Elm House" in said and "Esk" in said
    facts = ControlDag.from_pretrained(tmp_path / "packed", variant="triples")
    said = facts.generate([Triple("Person 3", "birthPlace", "Town 3")]).text
    assert "Person 3" in said and "Town 3" in said
