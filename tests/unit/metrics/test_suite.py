"""All figures together: references score perfectly, parts are told apart, and nothing is invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data import samples
from controldag.data.read import read_examples
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.errors import ControlDagError, InvalidInput
from controldag.metrics.background import Background, TrainingData
from controldag.metrics.bleurt import bleurt
from controldag.metrics.seen import Seen
from controldag.metrics.splits import splits
from controldag.metrics.suite import ERRORS, NAMES, measures

SCHEMA = Schema.load(samples.SCHEMA)
ACTS = list(read_examples(samples.ACTS, schema=SCHEMA))
TRIPLES = list(read_examples(samples.TRIPLES))


@pytest.mark.parametrize(("examples", "schema"), [(ACTS, SCHEMA), (TRIPLES, None)], ids=("acts", "triples"))
def test_references_are_perfect(examples: list[Example], schema: Schema | None) -> None:
    background = Background.of(schema, examples, TrainingData.of(examples, schema, source="train"), source="dev")
    found = measures(examples, [example.target for example in examples], background)
    assert list(found) == [name for name in NAMES if name in found]
    assert found["bleu"].value() == pytest.approx(100.0) and found["chrf"].value() == pytest.approx(100.0)
    assert found["bp"].value() == found["length_ratio"].value() == 1.0
    for name in ERRORS:
        if name in found:
            assert found[name].value() == 0.0, name
    assert all(measure.signature for measure in found.values())
    expected = {"ser_strict", "counts_said"} if schema else {"eor", "ends_said", "bleu_single"}
    assert expected <= set(found)


def test_what_records_lack_has_no_figure() -> None:
    bare = [Example("a", triples=(Triple("Oban", "IN", "Argyll"),))]
    assert not {"bleu", "chrf", "ser", "eor", "neo_strict", "foreign_values"} & set(
        measures(bare, ["Oban is in Argyll."], Background.of(None, bare))
    )
    with pytest.raises(InvalidInput, match="schema"):
        measures(ACTS, [example.target for example in ACTS], Background.of(None, ACTS))
    with pytest.raises(InvalidInput, match="texts"):
        measures(ACTS, ["one"], Background.of(SCHEMA, ACTS))


def test_a_mixed_file_has_the_figures_of_both() -> None:
    mixed = [ACTS[0], TRIPLES[0]]
    found = measures(mixed, [example.target for example in mixed], Background.of(SCHEMA, mixed))
    assert {"ser", "categorical_said", "ends_said"} <= set(found)
    assert "bleurt" in NAMES


def test_any_error_is_the_share_of_texts_with_one() -> None:
    texts = ["", *(example.target for example in ACTS[1:])]
    found = measures(ACTS, texts, Background.of(SCHEMA, ACTS))
    assert found["any_error"].value() == pytest.approx(100 / len(ACTS))


def test_a_line_without_reference_counts_for_nothing() -> None:
    act = (Act("REQ_MORE"),)
    examples = [
        Example("a", act, service="Ferries_1", references=("Is that all?",)),
        Example("b", act, service="Ferries_1"),
    ]
    found = measures(examples, ["Is that all?", "What?"], Background.of(SCHEMA, examples))
    assert found["bleu"].value() == pytest.approx(100.0) and found["chrf"].value() == pytest.approx(100.0)


def test_parts() -> None:
    training = TrainingData.of([ACTS[0], TRIPLES[0]], SCHEMA)
    parts = splits(ACTS, training)
    assert {name: rows.tolist() for name, rows in parts.items()} == {
        "seen": [0, 1, 2, 3, 4, 5],
        "unseen": [6, 7, 8, 9, 10, 11],
        "verbatim": [0],
        "novel": list(range(1, 12)),
    }
    assert splits(ACTS, None) == {}
    assert splits(ACTS, TrainingData.of(ACTS, SCHEMA)) == {}
    assert splits([ACTS[0], TRIPLES[0], TRIPLES[0]], None)["without_repeats"].tolist() == [0, 1]
    again = [TRIPLES[0], TRIPLES[1], TRIPLES[0]]
    assert {name: rows.tolist() for name, rows in splits(again, training).items()} == {
        "seen": [0, 2],
        "unseen": [1],
        "verbatim": [0, 2],
        "novel": [1],
        "without_repeats": [0, 1],
    }


def test_triples_are_seen_where_every_relation_is() -> None:
    seen = Seen(frozenset({"S"}), frozenset({"A"}))
    assert Example("x", triples=(Triple("a", "A", "b"),)) in seen
    assert Example("x", triples=(Triple("a", "A", "b"), Triple("a", "B", "b"))) not in seen
    assert Example("x", (Act("REQ_MORE"),), service="S") in seen
    assert Example("x", (Act("REQ_MORE"),), service="T") not in seen


def test_bleurt_never_invents_a_number(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="bleurt"):
        bleurt(["a"], [["a"]], tmp_path / "missing")
    with pytest.raises(ControlDagError, match="package bleurt"):
        bleurt(["a"], [["a"]], tmp_path)


# What people score themselves: docs/metrics.md has these figures.
PEOPLE = {
    "sgd": {
        "bleu": 100.00, "ser": 0.00, "ser_strict": 0.00, "categorical_said": 98.20, "counts_said": 100.00, "neo": 0.00,
        "neo_strict": 0.92, "neo_independent": 1.55, "unsupported": 0.72, "foreign_values": 0.06,
        "repeated_trigrams": 1.01, "doubled_words": 0.41,
    },
    "dart": {
        "bleu": 100.00, "bleu_single": 60.90, "eor": 0.11, "eor_constrained": 0.19, "ends_said": 84.14, "neo": 0.00,
        "neo_strict": 5.67, "neo_independent": 8.2, "unsupported": 5.24, "foreign_values": 1.30,
        "repeated_trigrams": 2.17, "doubled_words": 0.54,
    },
}  # fmt: skip


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize("task", PEOPLE)
def test_references_of_development_data(data: Path, task: str) -> None:
    schema = Schema.load(data / "sgd") if task == "sgd" else None
    examples = list(read_examples(data / task / "dev.jsonl.gz", schema=schema))
    training = TrainingData.of(read_examples(data / task / "train.jsonl.gz"), schema)
    found = measures(examples, [example.target for example in examples], Background.of(schema, examples, training))
    values = {name: round(found[name].value() or 0, 2) for name in PEOPLE[task]}
    assert values == PEOPLE[task]


@pytest.mark.realdata
def test_repeats_of_dart(data: Path) -> None:
    examples = list(read_examples(data / "dart/test.jsonl.gz"))
    assert len(examples) - len(splits(examples, None)["without_repeats"]) == 842
