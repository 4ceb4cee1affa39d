"""Configs: every shipped one parses and builds; unknown keys and wrong types are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.training.build import build_model, model_config
from controldag.training.corpus import PreparedFolder
from controldag.training.options import load_options, options_from, options_to, preset_names


def _prepared(vocabulary: int) -> PreparedFolder:
    weights = {"acts": [5.0, 0.0, 4.0, 0.0]}
    return PreparedFolder("x", vocabulary, 0, 1, 2, 3, "", "naive", " ", 1, length_weights=weights)


SIZES = {
    "sgd-small": 47_950_344,
    "sgd-small-template": 47_950_344,
    "dart-small": 48_474_632,
    "dart-small-plain": 48_474_632,
    "sgd-small-ar": 46_105_088,
    "dart-small-ar": 46_105_088,
    "sgd-small-ar-12-1": 44_006_400,
    "dart-small-ar-12-1": 44_006_400,
}


# These start from a checkpoint, which says what the model is.
STARTED = ("fine-tune", "sgd-small-fuzzy", "sgd-small-counted", "words", "words-fuzzy")


@pytest.mark.parametrize("name", STARTED)
def test_presets_that_start_from_a_checkpoint_are_read(name: str) -> None:
    options = load_options(name)
    assert options.name == name and not options.model and options_from(options_to(options)) == options


@pytest.mark.parametrize("name", [name for name in preset_names() if name not in STARTED])
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
    if name in SIZES:
        assert count == SIZES[name]
    if name == "base":
        assert 2 * count <= 42_000_000  # bundled in place of two models of 24 MB
    if name.endswith("-mini"):
        assert 2 * count <= 24_000_000


@pytest.mark.parametrize(("plain", "name"), [("sgd-small", "sgd-small"), ("dart-small-plain", "dart-small")])
@pytest.mark.parametrize("ending", ["-ar", "-ar-12-1"])
def test_the_twins_are_like_for_like(plain: str, name: str, ending: str) -> None:
    ours, twin = load_options(plain), load_options(name + ending)
    assert twin.data == ours.data  # the very same prepared folder: tokenizer, linearisation, variants
    assert (twin.optimiser, twin.epochs, twin.seed) == (ours.optimiser, ours.epochs, ours.seed)
    assert twin.hidden_source == ours.hidden_source
    configs = [model_config(options, _prepared(options.data.vocabulary)) for options in (ours, twin)]
    same = ["d_model", "d_kv", "d_ff", "num_heads", "dropout_rate", "gated_ffn", "tied_head", "scaled_head"]
    same += ["num_layers", "num_decoder_layers"] if ending == "-ar" else []
    assert [getattr(configs[0], key) for key in same] == [getattr(configs[1], key) for key in same]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("name: x\nattention: flash\n", "attention"),
        ("name: x\nresidual: fp8\n", "residual"),
        ("name: x\nlerning_rate: 1\n", "lerning_rate"),
        ("name: x\nbatch: {tokns: 3}\n", "batch.tokns"),
        ("name: x\nsteps: many\n", "steps"),
        ("name: x\nseed: true\n", "seed"),
        ("name: x\nkind: rnn\n", "kind"),
        ("name: x\nglancing: {start: 2}\n", "glancing.start"),
        ("name: x\nfuzzy_order: 2\n", "fuzzy_order"),
        ("name: x\nfuzzy_order: 5\nglancing: {start: 0, end: 0}\n", "fuzzy_order"),
        ("name: x\nhidden_source: 1\n", "hidden_source"),
        ("name: x\ninit: sgd-mini\nmodel: {d_model: 8}\n", "left to the checkpoint"),
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


@pytest.mark.parametrize("weight", [-1.0, 0.5])
def test_miscount_needs_a_fuzzy_order(weight: float) -> None:
    with pytest.raises(InvalidInput, match="miscount_weight"):
        options_from({"name": "x", "miscount_weight": weight})
