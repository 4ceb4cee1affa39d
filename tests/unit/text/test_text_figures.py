"""The figures the notes and the data's README state, found again on the real data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.occurrence import OccurrenceRules
from controldag.data.phrases import hard_phrases
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.text.coverage import coverage
from controldag.text.independent_words import independent_words
from controldag.text.own_words import own_words
from controldag.text.paper_words import evaluation_vocabulary, paper_dictionary
from controldag.text.statistics import Statistics, measure, seen_and_unseen
from controldag.text.tokenizer import Tokenizer

pytestmark = pytest.mark.realdata

Read = Callable[[str], list[Example]]


@pytest.fixture(scope="module")
def read(data: Path) -> Read:
    """Reads a file of the shared folder, once for the whole module."""
    kept: dict[str, list[Example]] = {}

    def reader(name: str) -> list[Example]:
        if name not in kept:
            kept[name] = list(read_examples(data / f"{name}.jsonl.gz"))
        return kept[name]

    return reader


@pytest.fixture(scope="module")
def schema(data: Path) -> Schema:
    return Schema.load(data / "sgd")


@pytest.fixture(scope="module")
def sgd_train(data: Path, read: Read, schema: Schema) -> Statistics:
    return _measured(data, read("sgd/train"), schema)


def _measured(data: Path, examples: list[Example], schema: Schema) -> Statistics:
    t5 = Tokenizer.load(data / "t5" / "spiece.model")
    return measure(examples, make_lineariser(LinearisationOptions(), schema=schema), t5.count_batch)


def test_the_token_fit_of_sgd(sgd_train: Statistics) -> None:
    model = sgd_train.fit()
    assert model is not None
    assert model.pairs == 164_982
    assert model.r_squared is not None
    assert (round(model.slope, 4), round(model.intercept, 2), round(model.r_squared, 3)) == (0.3589, 5.83, 0.735)


def test_the_lengths_of_sgd(sgd_train: Statistics) -> None:
    assert list(sgd_train.input_lengths.summary().values()) == [27.55, 20, 75, 86, 148]
    assert list(sgd_train.target_lengths.summary().values()) == [15.08, 12, 34, 46, 109]


def test_unseen_services_of_sgd(data: Path, read: Read, schema: Schema, sgd_train: Statistics) -> None:
    against = seen_and_unseen(_measured(data, read("sgd/test"), schema), sgd_train)
    assert against["records_unseen"] == 7_600
    assert len(against["unseen_services"]) == 15


def test_the_papers_dictionary_has_936_words(read: Read, schema: Schema) -> None:
    made = paper_dictionary((example.target for example in read("sgd/train")), schema)
    assert made.figures == {"frequent training words": 685, "schema words": 444}
    assert len(made) == 936


def test_our_words_spell_more_references_than_the_papers(read: Read, schema: Schema) -> None:
    train, test = read("sgd/train"), read("sgd/test")
    ours = own_words(train, schema)
    papers = paper_dictionary((example.target for example in train), schema)
    assert ours.figures["training words"] == 13_565
    assert coverage(test, ours).percent > 93
    assert 60 < coverage(test, papers).percent < 75
    assert not {"made.The", "appoinment", "Xiaoxue"} & ours.words
    assert {"I've", "check-in", "wifi", "p.m", "reservation"} <= ours.words


def test_neos_vocabulary_is_about_the_papers_size(read: Read, schema: Schema) -> None:
    corpus = (example.target for part in ("train", "dev", "test") for example in read(f"sgd/{part}"))
    made = evaluation_vocabulary(corpus, (example.target for example in read("sgd/test")), schema)
    # The paper has 19,126 words with another draw of the dev and test turns.
    assert len(made) == 18_820


def test_the_independent_list_agrees_with_people(read: Read) -> None:
    assert coverage(read("sgd/dev"), independent_words()).percent > 98


def test_every_reference_holds_each_hard_phrase_on_its_own(read: Read, schema: Schema) -> None:
    """A value that two slots share stands twice: `hard_phrases` may therefore ask for it twice."""
    values = 0
    for example in read("sgd/test"):
        text = example.target
        for phrase in sorted(hard_phrases(example, schema), key=len, reverse=True):
            values += 1
            assert phrase in text, example.id
            text = text.replace(phrase, "\0", 1)
    assert values == 9_807


@pytest.mark.parametrize(
    ("split", "constrained", "average", "broken"), [("dev", 55.9, 1.55, 0.2), ("test", 39.9, 1.90, 0.8)]
)
def test_the_occurrence_rules_of_dart(
    read: Read, split: str, constrained: float, average: float, broken: float
) -> None:
    rules = OccurrenceRules.learn(read("dart/train"))
    assert len(rules) == 72
    entries = read(f"dart/{split}")
    wanted = [(example, phrases) for example in entries if (phrases := rules.required(example))]
    missing = sum(any(p.lower() not in example.target.lower() for p in phrases) for example, phrases in wanted)
    assert round(100 * len(wanted) / len(entries), 1) == constrained
    assert round(sum(len(phrases) for _, phrases in wanted) / len(wanted), 2) == average
    assert round(100 * missing / len(wanted), 1) == broken
