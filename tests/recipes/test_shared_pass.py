"""One forward pass for several decoders and settings: the same texts as one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.checkpoint.choice import ModelChoice
from controldag.errors import InvalidInput
from controldag.evaluation.decode_run import run_system
from controldag.evaluation.systems import SystemOptions, load_system, variants
from controldag.generation.decoders import decoders_of
from controldag.pipeline import ControlDag
from controldag.surfaces import Surfaces
from controldag.training.toy import toy_examples
from recipes.shared_pass import Way, run_ways

EXAMPLES = toy_examples(7, 9)


def test_every_decoder_says_what_it_says_alone(tiny: ControlDag) -> None:
    names = decoders_of(autoregressive=False)
    done: list[int] = []
    shared = run_ways([Way(tiny, name) for name in names], EXAMPLES, batch=4, progress=done.append)
    assert done == [4, 7]
    for name, outputs in zip(names, shared, strict=True):
        alone = run_system(tiny, EXAMPLES, name, batch=4)
        assert [(each.text, each.error) for each in outputs.items] == [(each.text, each.error) for each in alone.items]
        assert "not a latency" in outputs.timing and set(outputs.items[0].stages or {}) == set(
            alone.items[0].stages or {}
        )


def test_every_setting_gives_what_it_gives_alone(folder: Path) -> None:
    system = load_system(SystemOptions(ModelChoice(name=str(folder)), "control-dag"))
    cells = [{"emissions": 2}, {"emissions": 6, "normalisation": 2.0}, {"offer_names": True}, {"transitions": 1}]
    made = variants(system, [("control-dag", cell) for cell in cells])
    shared = run_ways([Way(each.model, each.decoder) for each in made], EXAMPLES)
    for each, cell, outputs in zip(made, cells, shared, strict=True):
        assert outputs.texts == run_system(each.generator, EXAMPLES, "control-dag").texts
        assert cell.items() <= each.description["settings"].items()


def test_a_twin_is_run_way_by_way(folder: Path, twin_folder: Path) -> None:
    twin = load_system(SystemOptions(ModelChoice(name=str(twin_folder), like=str(folder)), "ar-beam"))
    made = variants(twin, [("ar-greedy", {}), ("ar-beam", {"beams": 2, "length_penalty": 0.0})])
    outputs = run_ways([Way(each.model, each.decoder) for each in made], EXAMPLES[:3])
    assert [each.texts for each in outputs] == [run_system(m.generator, EXAMPLES[:3], m.decoder).texts for m in made]
    assert made[1].model.settings.beams == 2


def test_settings_that_are_none_are_told(tiny: ControlDag) -> None:
    for changes, message in (
        ({"normalization": 1.0}, "normalisation"),
        ({"beams": 1.5}, "int"),
        ({"say_once": 1}, "bool"),
        ({"beams": 0}, "at least 1"),
    ):
        with pytest.raises(InvalidInput, match=message):
            tiny.settings.changed(changes)
    with pytest.raises(InvalidInput, match="n-gram model"):
        tiny.with_settings(tiny.settings.changed({"language_model": 0.5}))


def test_what_tokens_cannot_spell_stops_only_who_promises_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with T5's tokenizer, which has no byte pieces: greedy decoding promises no value."""
    lost = EXAMPLES[2].acts[0].values[0]
    spell = Surfaces._spell

    def without(self: Surfaces, phrase: str) -> list[int]:
        if phrase == lost:
            raise InvalidInput.of("phrase", "be spelled by the tokens", phrase)
        return spell(self, phrase)

    monkeypatch.setattr(Surfaces, "_spell", without)
    model = ControlDag.from_pretrained(folder)
    names = decoders_of(autoregressive=False)
    for name, outputs in zip(names, run_ways([Way(model, name) for name in names], EXAMPLES), strict=True):
        assert (outputs.items[2].error == "InvalidInput") == (
            name in {"cbs-dag", "+hlc", "control-dag", "control-dag-paper"}
        ), name
