"""`bench end-to-end` on tiny models: every system runs, and the figures say what was run."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks.end_to_end.core_time import core_times
from benchmarks.end_to_end.run import OURS, EndToEndOptions, bench_end_to_end
from benchmarks.end_to_end.twins import peers_of, reference_lengths
from controldag.cli.main import app
from controldag.errors import InvalidInput
from controldag.generation.request import Request
from controldag.model.twin import predict as ar_predict
from controldag.model.twin.forward import FastTwin
from controldag.model.twin.network import ART5ForGeneration
from controldag.model.twin.predict import GraphedSpeaker
from controldag.pipeline import ControlDag
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import make_checkpoint, make_twin

OPTIONS = EndToEndOptions(batches=(1, 4), seconds=0.2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("end-to-end") / "tiny", marks=2)


@pytest.fixture(scope="module")
def ours(folder: Path) -> ControlDag:
    return ControlDag.from_pretrained(folder)


def bench(ours: ControlDag, twin: Path | None, remarks: list[str]) -> dict[str, Any]:
    examples = toy_examples(9, 2)
    peers = peers_of(ours, twin, examples, "cpu", remarks.append)
    return bench_end_to_end(ours, peers, examples, OPTIONS, lambda items, _: iter(items))


def test_without_a_twin_a_random_one_is_timed_and_not_judged(ours: ControlDag) -> None:
    remarks: list[str] = []
    figures = bench(ours, None, remarks)
    assert "random weights" in remarks[0]
    systems = figures["systems"]
    for name in ("ar-greedy", "ar-beam", "ar-constrained-beam"):
        for way in ("transformers", "fast"):
            assert systems[f"{name}, {way}"]["bleu"] is None
            assert set(systems[f"{name}, {way}"]["batches"]) == {1, 4}
    assert systems[OURS]["bleu"] is not None and systems[OURS]["ser"] == 0.0 and not systems[OURS]["errors"]
    assert {"linearise", "forward", "search"} <= set(systems[OURS]["batches"][1]["stages"])
    for name in ("greedy", "beam", "constrained_beam"):
        mine = systems[OURS]["batches"][1]["p50_ms"]
        theirs = systems[f"ar-{name.replace('_', '-')}, transformers"]["batches"][1]["p50_ms"]
        assert figures[f"speedup_vs_{name}"] == pytest.approx(theirs / mine)
        assert figures[f"speedup_vs_fast_{name}"] > 0
    assert 0 < figures["search_share"] < 1 and figures["utterances_per_s"] > 0 and figures["floor_ms"][1] > 0


def test_a_graphed_twin_is_held_to_its_steps(ours: ControlDag, monkeypatch: pytest.MonkeyPatch) -> None:
    def graphed(model: ART5ForGeneration, precision: str = "") -> GraphedSpeaker:
        return GraphedSpeaker(FastTwin(model))

    monkeypatch.setattr(ar_predict, "fast_speaker", graphed)  # as on a GPU, where this is what it gives
    figures = bench(ours, None, [])
    assert figures["fast_step_ms"] > 0
    cell = figures["systems"]["ar-greedy, fast"]["batches"][1]
    steps = median(reference_lengths(ours, toy_examples(9, 2)).values())
    wanted = cell["p50_ms"] / (steps * figures["fast_step_ms"])
    assert figures["fast_greedy_over_its_steps"] == pytest.approx(wanted)


def test_a_twin_of_the_users_is_judged_as_well(ours: ControlDag, folder: Path, tmp_path: Path) -> None:
    figures = bench(ours, make_twin(tmp_path / "twin", folder), [])
    constrained, greedy = (figures["systems"][f"{name}, fast"] for name in ("ar-constrained-beam", "ar-greedy"))
    assert constrained["ser"] == 0.0 < greedy["ser"]
    assert figures["systems"]["ar-greedy, transformers"]["ser"] == greedy["ser"]


def test_lengths_are_counted_in_the_models_own_tokens(ours: ControlDag) -> None:
    examples = toy_examples(5, 4)
    lengths = reference_lengths(ours, examples)
    for example in examples:
        item = ours.prepare(Request(example))
        assert 2 <= lengths[tuple(item.source.ids)] <= len(ours.checkpoint.tokenizer.encode(example.target)) + 1


def test_a_folder_of_the_wrong_kind_is_refused(ours: ControlDag, folder: Path) -> None:
    with pytest.raises(InvalidInput, match="autoregressive"):
        peers_of(ours, folder, [], "cpu", print)


def write_turns(folder: Path) -> Path:
    """A file of toy turns."""
    data = folder / "turns.jsonl"
    data.write_text(
        "\n".join(
            json.dumps(
                {
                    "id": example.id,
                    "dialog_id": "1",
                    "turn": number,
                    "service": example.service,
                    "dialog_acts": [{"act": a.act, "slot": a.slot, "values": list(a.values)} for a in example.acts],
                    "target": example.target,
                    "context": [],
                    "prompt": "",
                }
            )
            for number, example in enumerate(toy_examples(6, 2))
        )
    )
    return data


def test_the_command_prints_tables_or_json_and_keeps_them(folder: Path, tmp_path: Path) -> None:
    data = write_turns(tmp_path)
    kept = tmp_path / "figures.json"
    words = ["bench", "end-to-end", "--model", str(folder), "--data", str(data), "--batch", "1,2", "--seconds", "0.1"]
    result = CliRunner().invoke(app, [*words, "--threads", "1", "--out", str(kept), "--limit", "5"])
    assert result.exit_code == 0, result.output
    assert "control-dag" in result.stdout and "constrained-beam, fast" in result.stdout and "linearise" in result.stdout
    figures = json.loads(kept.read_text())["figures"]
    assert figures["turns"] == 5 and figures["device"] == "cpu"
    result = CliRunner().invoke(app, [*words, "--json", "--quiet"])
    last = json.loads(result.stdout.splitlines()[-1])
    wanted = {"speedup_vs_constrained_beam", "speedup_vs_greedy", "p50_ms", "p99_ms", "search_share", "device"}
    assert wanted | {"utterances_per_s"} <= set(last)
    refused = CliRunner().invoke(app, [*words[:-4], "--batch", "1,x"])
    assert isinstance(refused.exception, InvalidInput)


def test_core_time_tells_every_stage_but_the_forward_pass(ours: ControlDag) -> None:
    examples = toy_examples(4, 2)
    found = core_times(ours, examples, 2, lambda items, _: iter(items))
    assert found["turns"] == 4 and found["errors"] == 0
    assert {"linearise", "constraints", "search", "check"} < set(found["stages"]) and "forward" not in found["stages"]
    whole = found["stages"]["all but the forward pass"]
    assert 0 < whole["p50_ms"] <= whole["p99_ms"]
    again = core_times(ours, examples, 1, lambda items, _: iter(items))
    assert again["digest"] == found["digest"]
    assert again["digest"] != core_times(ours, examples[:3], 1, lambda items, _: iter(items))["digest"]


def test_core_time_from_the_command_line(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "core.json"
    data = write_turns(tmp_path)
    words = ["bench", "end-to-end", "--model", str(folder), "--data", str(data), "--core-time", "1", "--limit", "2"]
    run = CliRunner().invoke(app, [*words, "--every", "2", "--quiet", "--json", "--out", str(kept)])
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["turns"] == 2
    assert json.loads(kept.read_text())["settings"]["every"] == 2
    table = CliRunner().invoke(app, [*words, "--quiet"])
    assert "all but the forward pass" in table.output
