"""Configs: every shipped one parses and builds; unknown keys and wrong types are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.training.build import build_model, model_config
from controldag.training.corpus import Prepared
from controldag.training.options import load_options, options_from, options_to, preset_names


def _prepared(vocabulary: int) -> Prepared:
    return Prepared("x", vocabulary, 0, 1, 2, 3, "", "naive", " ", 1)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_builds(name: str) -> None:
    options = load_options(name)
    assert options.name == name
    assert options_from(options_to(options)) == options
    pieces = 32128 if options.data.tokenizer == "t5" else options.data.vocabulary
    with torch.device("meta"):
        model = build_model(options, _prepared(pieces))
    count = sum(p.numel() for p in model.parameters())
    if name in ("paper-sgd", "paper-dart"):
        assert count == 79_326_728
    if name.endswith("-mini"):
        assert 2 * count <= 24_000_000


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("name: x\nlerning_rate: 1\n", "lerning_rate"),
        ("name: x\nbatch: {tokns: 3}\n", "batch.tokns"),
        ("name: x\nsteps: many\n", "steps"),
        ("name: x\nseed: true\n", "seed"),
        ("name: x\nkind: rnn\n", "kind"),
        ("name: x\nglancing: {start: 2}\n", "glancing.start"),
        ("name: x\noptimiser: 3\n", "optimiser"),
        ("steps: 3\n", "name"),
        ("- a\n", "mapping"),
        ("a: [\n", "YAML"),
    ],
)
def test_bad_configs_are_refused(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=match):
        load_options(path)


def test_an_unknown_model_option_is_refused() -> None:
    options = options_from({"name": "x", "model": {"d_modl": 3}})
    with pytest.raises(InvalidInput, match=r"model\.d_modl"):
        model_config(options, _prepared(100))


def test_an_unknown_preset_lists_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="sgd-small"):
        load_options("sgd-smal")
