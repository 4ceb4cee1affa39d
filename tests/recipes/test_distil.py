"""Distillation: the twin's words where it says every value, people's where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from controldag.data.records import Example, Triple
from controldag.errors import InvalidInput
from controldag.model.twin.predict import Saying
from controldag.model.twin.steps import TokenOutput
from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer
from controldag.training import prepare as preparing
from controldag.training.build import build_model
from controldag.training.corpus import Corpus, Pairs, Ragged
from controldag.training.options import DataOptions, load_options, options_from
from controldag.training.prepare import DataSet, open_prepared, prepare, prepared_name
from recipes.__main__ import app
from recipes.distil.retell import told

HOW = Saying(beams=2, max_length=32)
DATA = DataOptions(
    dataset="dart", lineariser="triples-in-words", vocabulary=325, value_marks=4, distilled_from="a-twin", parts=3
)


def _examples() -> list[Example]:
    facts = [("born in", "Oslo"), ("works as", "baker"), ("friend of", "Ada")]
    return [
        Example(
            id=str(number),
            service="",
            acts=(),
            triples=tuple(Triple(f"Person {number}", relation, value) for relation, value in facts[: 1 + number % 3]),
            references=(f"Person {number} is someone we know.", f"We all know Person {number} by name."),
        )
        for number in range(60)
    ]


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    from controldag.data.linearise import LinearisationOptions, make_lineariser

    linearise = make_lineariser(LinearisationOptions(DATA.lineariser, " , "), schema=None, templates=None)
    examples = _examples()
    monkeypatch.setattr(preparing, "_open", lambda options, data: DataSet(examples, examples[:2], linearise, None))
    return prepare(replace(DATA, distilled_from=""), None)


class Table:
    """A twin that says what it is told to."""

    def __init__(self, say: dict[tuple[int, ...], list[int]]) -> None:
        self.words = say

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        return [TokenOutput(self.words.get(tuple(each), []), 0.0, True) for each in ids]


def test_parts_are_new_inputs_without_targets(corpus: Corpus) -> None:
    train, untold = corpus.train, corpus.prepared.untold
    sources = [tuple(train.sources[i]) for i in range(len(train))]
    assert 0 < untold < len(train)
    assert len(set(sources[-untold:])) == untold and not set(sources[-untold:]) & set(sources[:-untold])
    assert all(train.targets[i] == [3, 1] for i in range(len(train) - untold, len(train)))


def test_who_tells_what(corpus: Corpus) -> None:
    pieces = Tokenizer(corpus.tokenizer_model)
    marks = MarkTokens(pieces)
    sources = list(dict.fromkeys(tuple(corpus.train.sources[i]) for i in range(len(corpus.train))))
    told_in_full, lacking, never_ending = sources[0], sources[1], sources[2]
    full = pieces.encode("".join(f"<v{n}> " for n in sorted(marks.numbers(told_in_full))))
    twin = Table({told_in_full: full, lacking: pieces.encode("no value"), never_ending: full * 40})
    made = told(corpus, twin, "a-twin", HOW)
    pairs = made.corpus.train
    by_source: dict[tuple[int, ...], list[list[int]]] = {}
    for i in range(len(pairs)):
        by_source.setdefault(tuple(pairs.sources[i]), []).append(pairs.targets[i])
    assert by_source[told_in_full] == [[3, *full, 1]]
    assert len(by_source[lacking]) == len(by_source[never_ending]) == 2  # both references
    assert made.by_twin == 1 and made.left_out == corpus.prepared.untold
    assert made.by_twin + made.by_people + made.left_out == len(sources)
    how = made.corpus.prepared
    assert (how.untold, how.variants, how.distilled_from) == (0, 1, "a-twin")


def test_a_twin_that_says_nothing_is_refused(corpus: Corpus) -> None:
    with pytest.raises(InvalidInput, match="say every value of at least one input"):
        told(corpus, Table({}), "a-twin", HOW)


def test_data_that_no_twin_has_told_yet_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="python -m recipes distil"):
        open_prepared(DATA, tmp_path / "none", None, print)


def test_parts_are_for_triples_that_a_twin_tells() -> None:
    with pytest.raises(InvalidInput, match=r"data\.parts"):
        options_from({"name": "x", "data": {"dataset": "dart", "lineariser": "triples", "parts": 1}})
    assert prepared_name(DATA) != prepared_name(replace(DATA, distilled_from=""))


def test_the_command_writes_what_training_reads(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    from controldag.model.definition.saving import save_model

    config = {"name": "told", "data": {"dataset": "dart", "lineariser": "triples-in-words", "vocabulary": 325}}
    config["data"] |= {"value_marks": 4, "distilled_from": "a-twin", "parts": 3}
    (tmp_path / "told.yaml").write_text(yaml.safe_dump(config))
    few = Pairs(Ragged.of([corpus.train.sources[0]]), Ragged.of([corpus.train.targets[0]]))
    from controldag.training.corpus import load_corpus, save_corpus

    inputs = replace(DATA, distilled_from="")
    small = replace(corpus, train=few, prepared=replace(corpus.prepared, untold=0))
    save_corpus(tmp_path / prepared_name(inputs), small)
    run = CliRunner().invoke
    without = run(app, ["distil", str(tmp_path / "told.yaml"), "--prepared", str(tmp_path)])
    assert "Train a-twin first" in str(without.exception)
    twin = build_model(replace(load_options("toy-ar"), data=inputs), corpus.prepared)
    save_model(twin, tmp_path / "twin", corpus.tokenizer_model)
    source, pieces = tuple(corpus.train.sources[0]), Tokenizer(corpus.tokenizer_model)
    full = pieces.encode("".join(f"<v{n}> " for n in sorted(MarkTokens(pieces).numbers(source))))
    # The twin is loaded for real; what an untrained one would say is chance.
    monkeypatch.setattr("controldag.model.twin.predict.fast_speaker", lambda model: Table({source: full}))
    made = run(app, ["distil", str(tmp_path / "told.yaml"), str(tmp_path / "twin"), "--prepared", str(tmp_path)])
    assert made.exit_code == 0 and "1 pairs; inputs in the twin's words 1" in " ".join(made.output.split())
    again = load_corpus(tmp_path / prepared_name(DATA))
    assert again.prepared.distilled_from == "a-twin" and again.train.targets[0] == [3, *full, 1]
