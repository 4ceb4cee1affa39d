"""`train --init`: it starts from a checkpoint's weights and tokenizer, on the user's own data, and is served."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner, Result

import controldag as cd
from controldag.checkpoint.examples_to_try import read_examples_to_try
from controldag.cli.main import app
from controldag.data.own_data import OwnData
from controldag.data.write import record_of
from controldag.errors import ControlDagError
from controldag.model.definition.saving import load_model
from controldag.serving.samples import examples_of
from controldag.text.length import LengthModel
from controldag.text.words import WordFile
from controldag.training.options import OptimiserOptions
from controldag.training.schedule import learning_rate
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import make_checkpoint, schema_as_json


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("base") / "tiny-base", marks=4)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Own data: forty turns, whose texts say a word that no dictionary knows."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "schema.json").write_text(json.dumps(schema_as_json()))
    write(folder / "train.jsonl", [record_of(example) for example in toy_examples(40, 5)])
    return folder


def write(path: Path, records: list[dict[str, Any]]) -> None:
    for record in records:
        record["target"] = record["target"].replace("There is", "Zorbly is")
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def train(base: Path | str, data: Path, out: Path, *more: str) -> Result:
    words = ["train", "--init", str(base), "--data", str(data), "--out", str(out), "--device", "cpu", "--steps", "3"]
    return CliRunner().invoke(app, [*words, "--quiet", "--json", *more])


def message(done: Result) -> str:
    assert done.exit_code != 0
    assert isinstance(done.exception, ControlDagError), done.output
    return str(done.exception)


def test_a_fine_tuned_checkpoint_generates(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run, made = tmp_path / "run", tmp_path / "made"
    done = train(base, data, run)
    assert done.exit_code == 0, done.output
    results = json.loads(done.stdout)
    assert any((run / "prepared").glob("*/prepared.json")) and not Path("prepared").exists()
    assert results["options"]["init"] == str(base)
    assert results["options"]["data"]["value_marks"] == 4
    assert {"greedy", "viterbi-1"} <= results["dev"].keys()
    before, after = load_model(base), load_model(run / "final")
    assert after.config.tokenizer_sha256 == before.config.tokenizer_sha256
    moved = [(a - b).abs().max().item() for a, b in zip(before.parameters(), after.parameters(), strict=True)]
    assert 0 < max(moved) < 0.01  # it learned, from where the checkpoint stood

    assert "Only 3 steps" in results["warnings"][0] and "Only 3 steps" in done.stderr

    # The run knows where its data is.
    done = CliRunner().invoke(app, ["package", str(run), "--out", str(made), "--json"])
    assert done.exit_code == 0, done.output
    words = WordFile.load(made / "words.txt")
    assert "Zorbly" in words
    assert WordFile.load(base / "words.txt").words < words.words
    assert LengthModel.load(made / "length.json") == LengthModel.load(base / "length.json")  # forty are too few
    assert (made / "generation.json").read_text() == (base / "generation.json").read_text()
    model = cd.ControlDag.from_pretrained(made)
    result = model.generate([cd.Act("OFFER", "city", ("Avon",))], service="Places_1")
    assert "Avon" in result.text and not result.violated
    items = examples_of(model)
    assert items == read_examples_to_try(made) and {item["service"] for item in items} == {"Places_1"}


def test_it_goes_on_and_refuses_data_that_changed(base: Path, data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert train(base, data, run).exit_code == 0
    weights = (run / "final" / "model.safetensors").read_bytes()
    assert train(base, data, run).exit_code == 0
    assert (run / "final" / "model.safetensors").read_bytes() == weights
    write(data / "train.jsonl", [record_of(example) for example in toy_examples(40, 6)])
    assert "a run with other options" in message(train(base, data, run))


def test_the_first_step_starts_from_the_weights(base: Path, data: Path, tmp_path: Path) -> None:
    from controldag.training.build import build_model
    from controldag.training.options import load_options
    from controldag.training.prepare import prepare
    from controldag.training.start import Start

    start = Start.open(str(base))
    options = start.applied(load_options("fine-tune"), data)
    corpus = prepare(options.data, data, start.tokenizer_model)
    assert corpus.tokenizer_model == start.tokenizer_model
    model = build_model(options, corpus.prepared)
    for ours, theirs in zip(model.parameters(), load_model(base).parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_every_tenth_is_held_out_unless_there_is_dev(data: Path) -> None:
    own = OwnData.read(data, triples=False)
    assert (len(own.train), len(own.dev)) == (36, 4)
    assert not {example.id for example in own.train} & {example.id for example in own.dev}
    write(data / "dev.jsonl", [record_of(example) for example in toy_examples(7, 9)])
    with_dev = OwnData.read(data, triples=False)
    assert (len(with_dev.train), len(with_dev.dev)) == (40, 7)
    assert with_dev.checksum != own.checksum


def test_bad_checkpoints_are_named(base: Path, data: Path, tmp_path: Path) -> None:
    assert "`model` must be one of dart-mini, sgd-mini" in message(train("sgd-minni", data, tmp_path / "run"))
    other = tmp_path / "other"
    shutil.copytree(base, other)
    shutil.copy(make_checkpoint(tmp_path / "third", marks=2) / "tokenizer.model", other / "tokenizer.model")
    assert "`tokenizer` must be the one the model was trained with" in message(train(other, data, tmp_path / "run"))
    (other / "tokenizer.model").unlink()
    assert "tokenizer.model" in message(train(other, data, tmp_path / "run"))


def test_bad_data_is_named(base: Path, data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert "`--data` must hold train.jsonl" in message(train(base, tmp_path, run))
    lines = (data / "train.jsonl").read_text().splitlines(keepends=True)
    (data / "train.jsonl").write_text("".join(lines[:4]))
    assert "`train.jsonl` must hold at least 10 examples, but is 4" in message(train(base, data, run))
    (data / "train.jsonl").write_text("")
    assert "the file holds no records" in message(train(base, data, run))
    (data / "train.jsonl").write_text("".join(lines[:20]).replace("Places_1", "Palaces_1", 1))
    assert "the service 'Palaces_1' is not in the schema. Did you mean Places_1?" in message(train(base, data, run))
    triples = {"id": "t", "tripleset": [["a", "b", "c"]], "references": ["a b c"]}
    (data / "train.jsonl").write_text((json.dumps(triples) + "\n") * 12)
    assert "must hold dialogue acts in every record" in message(train(base, data, run))
    (data / "schema.json").unlink()
    assert "the schema file does not exist" in message(train(base, data, run))
    assert not run.exists()


def test_neither_config_nor_checkpoint_is_an_error() -> None:
    assert "`CONFIG` must name a preset" in message(CliRunner().invoke(app, ["train"]))


def test_a_short_run_still_reaches_its_learning_rate() -> None:
    options = OptimiserOptions(learning_rate=1.0, warmup_steps=10)
    assert [round(learning_rate(options, step, step / 5), 2) for step in range(5)] == [0.1, 0.91, 0.66, 0.36, 0.11]
    assert [round(learning_rate(options, step, step / 1000), 2) for step in (0, 4, 9, 500)] == [0.1, 0.5, 1.0, 0.51]
