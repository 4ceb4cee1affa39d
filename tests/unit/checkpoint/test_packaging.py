"""Packaging: a run's weights and small data files become a checkpoint that generates."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import controldag as cd
from controldag.checkpoint.folder import BUNDLED, bundled
from controldag.checkpoint.packaging import package
from controldag.cli.main import app
from controldag.data.records import Example, Triple
from controldag.data.write import write_examples
from controldag.errors import InvalidInput
from controldag.text.words import WordFile
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import make_checkpoint, schema_as_json


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy task laid out like SGD."""
    folder = tmp_path_factory.mktemp("data")
    for split in ("train", "dev", "test"):
        (folder / "sgd" / split).mkdir(parents=True)
        (folder / "sgd" / split / "schema.json").write_text(json.dumps(schema_as_json()))
    write_examples(folder / "sgd" / "train.jsonl.gz", toy_examples(200, 1))
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder as a run leaves it: weights, tokenizer, config, checksums, and a log beside them."""
    made = make_checkpoint(tmp_path / "run" / "final", marks=4)
    for name in ("words.txt", "paper_words.txt", "length.json", "schema.json", "generation.json"):
        (made / name).unlink()
    (made / "log.jsonl").write_text("{}")
    return tmp_path / "run"


def test_a_packaged_run_generates(run: Path, data: Path, tmp_path: Path) -> None:
    figures = package(run, data, tmp_path / "made")
    names = {path.name for path in (tmp_path / "made").iterdir()}
    assert {"words.txt", "paper_words.txt", "length.json", "schema.json", "ngrams.npz", "generation.json"} <= names
    assert "log.jsonl" not in names
    assert figures["words"] == len(WordFile.load(tmp_path / "made" / "words.txt")) > 5
    model = cd.ControlDag.from_pretrained(tmp_path / "made")
    result = model.generate([cd.Act("OFFER", "city", ("Avon",))], service="Places_1")
    assert "Avon" in result.text and not result.violated


def test_prepared_data_gives_lists_for_models_trained_on_it(run: Path, data: Path, tmp_path: Path) -> None:
    final, prepared = run / "final", tmp_path / "prepared"
    prepared.mkdir()
    shutil.copy(final / "tokenizer.model", prepared)
    config = json.loads((final / "config.json").read_text())
    kept = {name: config[name] for name in ("lineariser", "value_separator")}
    (prepared / "prepared.json").write_text(json.dumps(kept))
    package(prepared, data, tmp_path / "lists")
    package(run, data, tmp_path / "made")
    assert not list((tmp_path / "lists").glob("*.safetensors"))
    like = cd.ControlDag.from_pretrained(final, like=tmp_path / "lists")
    own = cd.ControlDag.from_pretrained(tmp_path / "made")
    assert like.checkpoint.name == "run" and like.settings == own.settings and like.settings.language_model > 0
    acts = [cd.Act("OFFER", "city", ("Avon",))]
    assert like.generate(acts, service="Places_1").text == own.generate(acts, service="Places_1").text


def test_triples_have_the_papers_words_too(run: Path, tmp_path: Path) -> None:
    (tmp_path / "data" / "dart").mkdir(parents=True)
    said = Example("1", triples=(Triple("Avon", "COUNTRY", "England"),), references=("Avon is there.", "It is Avon."))
    write_examples(tmp_path / "data" / "dart" / "train.jsonl.gz", [said, replace(said, triples=said.triples * 2)] * 6)
    prepared = tmp_path / "prepared"
    prepared.mkdir()
    shutil.copy(run / "final" / "tokenizer.model", prepared)
    (prepared / "prepared.json").write_text(json.dumps({"lineariser": "triples", "value_separator": " "}))
    package(prepared, tmp_path / "data", tmp_path / "lists")
    words = set(WordFile.load(tmp_path / "lists" / "paper_words.txt"))
    assert words and words <= {"Avon", "is", "there", "It"}


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_checkpoint_has_the_papers_words(name: str) -> None:
    assert len(WordFile.load(BUNDLED / name / "paper_words.txt")) > 500


def test_a_run_that_began_with_a_checkpoint_but_not_on_own_data_has_its_data_set(
    run: Path, data: Path, tmp_path: Path
) -> None:
    options = {"init": "runs/other/final", "data": {"dataset": "sgd"}}
    (run / "results.json").write_text(json.dumps({"options": options}))
    assert package(run, data, tmp_path / "made")["words"] > 5


def test_lists_of_other_tokens_bring_no_language_model(run: Path, data: Path, tmp_path: Path) -> None:
    package(run, data, tmp_path / "lists")
    tokens = make_checkpoint(tmp_path / "other", marks=2)
    model = cd.ControlDag.from_pretrained(tokens, like=tmp_path / "lists")
    assert model.settings.language_model == 0.0


def test_a_failure_leaves_what_stood_there(run: Path, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "made"
    target.mkdir()
    (target / "old").touch()
    shutil.rmtree(run / "final")
    with pytest.raises(InvalidInput, match=r"`run` must hold a config\.json"):
        package(run, data, target)
    assert [path.name for path in tmp_path.glob("*made*")] == ["made"] and (target / "old").exists()


def test_data_that_is_not_there_is_named(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"`--data` must hold sgd/train\.jsonl\.gz"):
        package(run, tmp_path, tmp_path / "made")


def test_the_command(run: Path, data: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["package", str(run), "--out", str(tmp_path / "made"), "--data", str(data), "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["out"] == str(tmp_path / "made")
