"""Variants of a checkpoint's settings: read, checked, chosen by name in Python and on the command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.checkpoint.choice import ModelChoice
from controldag.checkpoint.folder import BUNDLED, Checkpoint, bundled
from controldag.checkpoint.settings import FILE, GenerationSettings
from controldag.cli.main import app
from controldag.data.write import write_examples
from controldag.errors import ControlDagError, DataError, InvalidInput
from controldag.evaluation.systems import checkpoint_digest
from controldag.pipeline import ControlDag
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import schema_as_json

VARIANTS = {"fast": {"emissions": 1, "transitions": 1}, "best": {"emissions": 5, "language_model": 0.5}}


@pytest.fixture(scope="module")
def varied(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny checkpoint with two variants."""
    made = tmp_path_factory.mktemp("checkpoints") / "varied"
    shutil.copytree(folder, made)
    replace(GenerationSettings.load(made / FILE), variants=VARIANTS).save(made / FILE)
    return made


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    if isinstance(result.exception, ControlDagError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_variant_changes_what_it_names_and_nothing_else(varied: Path) -> None:
    settings = GenerationSettings.load(varied / FILE)
    fast = settings.variant("fast")
    assert fast == replace(settings, emissions=1, transitions=1, variants={})
    assert "variants" not in settings.as_dict() and settings.as_dict()["emissions"] == 3


def test_unknown_names_are_told_the_known_ones(varied: Path, tiny: ControlDag) -> None:
    with pytest.raises(InvalidInput, match=r"`variant` must be one of fast, best, but is 'fats'. Did you mean fast"):
        ControlDag.from_pretrained(varied, variant="fats")
    with pytest.raises(InvalidInput, match="without variants"):
        tiny.variant("fast")


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        ([], "field `variants`"),
        ({"fast": 1}, "field `variants`"),
        ({"fast": {"emission": 1}}, r"`variants.fast`.*emission'"),
        ({"fast": {"emissions": "1"}}, r"`variants.fast`: `emissions` must be of the kind int"),
        ({"best": {"patience": 0}}, r"`variants.best`: `patience` must be at least 1"),
        ({"best": {"task": "triples"}}, r"`variants.best`: `task`"),
        ({"best": {"variants": {}}}, r"`variants.best`.*'variants'"),
        ({"so fast": {}}, r"`variants.so fast`: `name` must be a word"),
    ],
)
def test_bad_variants_name_file_and_field(tmp_path: Path, variants: Any, message: str) -> None:
    path = tmp_path / FILE
    GenerationSettings().save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "variants": variants}))
    with pytest.raises(DataError, match=message) as raised:
        GenerationSettings.load(path)
    assert str(path) in str(raised.value)


def test_a_checkpoint_without_n_grams_has_none_in_its_variants(varied: Path) -> None:
    assert Checkpoint.open(varied).settings.variant("best").language_model == 0.0


def test_a_loaded_model_goes_from_variant_to_variant(varied: Path) -> None:
    model = ControlDag.from_pretrained(varied)
    assert model.variant("fast").variant("best").settings.transitions == 3
    assert model.variant("fast").settings == ControlDag.from_pretrained(varied, variant="fast").settings
    assert ControlDag.from_choice(ModelChoice(name=str(varied), variant="fast").absolute()).settings.emissions == 1


def test_commands_take_a_variant(varied: Path, tmp_path: Path) -> None:
    offer = ("--model", varied, "--service", "Places_1", "OFFER(name=Alder Inn)", "--variant")
    assert "Alder Inn" in run("generate", *offer, "fast")
    assert "Alder Inn" in run("inspect", *offer, "best", "--out", tmp_path / "page.html")
    for command in ("generate", "inspect"):
        with pytest.raises(InvalidInput, match="variant"):
            run(command, *offer, "slow")
    with pytest.raises(InvalidInput, match="variant"):
        run("serve", "--model", varied, "--variant", "slow")


def test_figures_say_which_variant(varied: Path, tmp_path: Path) -> None:
    write_examples(tmp_path / "dev.jsonl", toy_examples(3, 5))
    (tmp_path / "schema.json").write_text(json.dumps(schema_as_json()))
    data = ("--data", tmp_path / "dev.jsonl", "--model", varied, "--json", "--quiet")
    report = json.loads(run("evaluate", *data, "--draws", 5, "--variant", "fast"))
    assert report["system"]["variant"] == "fast" and report["system"]["settings"]["emissions"] == 1
    assert json.loads(run("bench", "end-to-end", *data, "--core-time", 1, "--variant", "best"))["variant"] == "best"
    assert json.loads(run("bench", "end-to-end", *data, "--core-time", 1))["variant"] == "default"


def test_variants_leave_the_checksum_of_a_checkpoint_alone(folder: Path, varied: Path, tmp_path: Path) -> None:
    assert checkpoint_digest(varied) == checkpoint_digest(folder)
    shutil.copytree(varied, tmp_path / "other")
    replace(GenerationSettings.load(varied / FILE), emissions=4).save(tmp_path / "other" / FILE)
    assert checkpoint_digest(tmp_path / "other") != checkpoint_digest(folder)


def test_a_card_leaves_the_checksum_of_a_checkpoint_alone(tmp_path: Path) -> None:
    digests = []
    for card, weights in (("a", "w"), ("b", "w"), ("b", "x")):
        (tmp_path / "README.md").write_text(card)
        (tmp_path / "checksums.json").write_text(json.dumps({"README.md": card, "model.safetensors": weights}))
        digests.append(checkpoint_digest(tmp_path))
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize("name", bundled())
def test_bundled_models_have_a_fast_and_a_best_variant(name: str) -> None:
    settings = GenerationSettings.load(BUNDLED / name / FILE)
    assert list(settings.variants)[:2] == ["fast", "best"]
    demanded = ("vocabulary", "input_numbers", "whole_word", "own_occurrence", "say_numbers", "say_categories")
    for variant in map(settings.variant, ("fast", "best")):
        assert all(getattr(variant, each) == getattr(settings, each) for each in demanded)
