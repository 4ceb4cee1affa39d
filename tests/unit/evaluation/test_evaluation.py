"""Evaluation of outputs: the report, comparison, output files and the log of test data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from controldag.checkpoint.choice import ModelChoice
from controldag.data import samples
from controldag.data.read import read_examples
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.errors import ControlDagError, DataError, Infeasible, InvalidInput
from controldag.evaluation.decode_run import run_system
from controldag.evaluation.figures import Evaluation, EvaluationOptions
from controldag.evaluation.scoring_log import is_test, log_scoring
from controldag.evaluation.system_outputs import Output, Outputs, read_outputs, write_outputs
from controldag.evaluation.systems import SystemOptions, load_system
from controldag.evaluation.template_system import TemplateSystem
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.background import Background, TrainingData
from controldag.metrics.bootstrap import BootstrapOptions

SCHEMA = Schema.load(samples.SCHEMA)
EXAMPLES = list(read_examples(samples.ACTS, schema=SCHEMA))
BACKGROUND = Background.of(SCHEMA, EXAMPLES, TrainingData.of(EXAMPLES[:6], SCHEMA, source="train"), source="dev")
OPTIONS = EvaluationOptions(BootstrapOptions(draws=20))


def evaluated(texts: Sequence[str]) -> Evaluation:
    return Evaluation(EXAMPLES, Outputs(tuple(map(Output, texts))), BACKGROUND, OPTIONS)


def test_the_report_has_every_figure_and_what_made_it() -> None:
    perfect = evaluated([example.target for example in EXAMPLES])
    report = perfect.report()
    assert (report["n"], report["bleu"], report["ser"], report["neo"], report["fallbacks"]) == (12, 100.0, 0.0, 0.0, 0)
    assert report["eor"] is None and report["bleurt"] is None and report["p50_ms"] is None
    assert report["signatures"]["bleurt"] == "no BLEURT checkpoint given"
    assert report["signatures"]["latency"] == "not known" and "draws:20" in report["signatures"]["intervals"]
    assert {name: part["n"] for name, part in report["splits"].items()} == dict.fromkeys(
        ("seen", "unseen", "verbatim", "novel"), 6
    )
    assert report["intervals"]["unseen"]["bleu"] == [100.0, 100.0]
    json.dumps(report)


def test_comparison_tells_parts_apart() -> None:
    targets = [example.target for example in EXAMPLES]
    # Only the unseen half is worse.
    compared = evaluated(targets).compare(evaluated([*targets[:6], *["no"] * 6]))
    assert compared["seen"]["bleu"]["difference"] == 0.0 and compared["seen"]["bleu"]["p"] == 1.0
    assert compared["unseen"]["bleu"]["p"] < 0.05 and compared["unseen"]["ser"]["difference"] < 0
    assert compared["all"]["bleu"]["first"] == 100.0


def test_outputs_come_back_from_their_file(tmp_path: Path) -> None:
    said = Outputs((Output("a", "", 1.25), Output("", "Infeasible", 2.0), *[Output("c\n", "", 3.0)] * 10), "batch:1")
    path = tmp_path / "said.jsonl.gz"
    write_outputs(path, EXAMPLES, said)
    assert read_outputs(path, EXAMPLES) == said
    assert (said.fallbacks, said.failures) == (1, {"Infeasible": 1})
    assert len(read_outputs(path, EXAMPLES, 5).items) == 5


def test_plain_outputs_and_wrong_files(tmp_path: Path) -> None:
    path = tmp_path / "said.txt"
    path.write_text("one\n\nthree\n", "utf-8")
    assert read_outputs(path, EXAMPLES[:3]).texts == ["one", "", "three"]
    assert read_outputs(path, EXAMPLES, 3).fallbacks is None
    with pytest.raises(InvalidInput, match="12 lines"):
        read_outputs(path, EXAMPLES)
    for line, error in (("{", "JSON"), ("[]", "object"), ("{}", "text"), ('{"id": "x", "text": ""}', "sample/acts_1")):
        bad = tmp_path / "bad.jsonl"
        bad.write_text(line + "\n", "utf-8")
        with pytest.raises(DataError, match=error):
            read_outputs(bad, EXAMPLES[:1])
    path.write_bytes(b"\xff\n")
    with pytest.raises(DataError, match="UTF-8"):
        read_outputs(path, EXAMPLES[:1])


def test_lines_of_generate_are_outputs_too(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text(
        '{"id": "", "text": "a", "ms": {"forward": 2}}\n{"id": "", "error": "No.", "kind": "NothingFound"}\n'
    )
    said = read_outputs(path, EXAMPLES[:2])
    assert said.items == (Output("a"), Output("", "NothingFound")) and said.fallbacks == 1


class _Stubborn:
    """A system that refuses every second request."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def generate_batch(self, requests: Sequence[Request]) -> list[Result | ControlDagError]:
        self.sizes.append(len(requests))
        return [
            Infeasible(("x",), minimised=True)
            if i % 2
            else Result("said", "d", 0, 0, 1, ms={"forward": 2.0, "search": 1.0})
            for i, _ in enumerate(requests)
        ]


def test_a_run_keeps_order_failures_and_times() -> None:
    system, done = _Stubborn(), list[int]()
    said = run_system(system, EXAMPLES[:5], "d", batch=2, progress=done.append)
    assert system.sizes == [1, 2, 2, 1] and done == [2, 4, 5]
    assert [item.text for item in said.items] == ["said", "", "said", "", "said"] and said.fallbacks == 2
    assert said.items[0].ms == 3.0 and "not a latency" in said.timing
    alone = run_system(_Stubborn(), EXAMPLES[:2], "d", batch=1)
    assert all(item.ms is not None and item.ms >= 0 for item in alone.items) and "batch:1" in alone.timing
    report = Evaluation(EXAMPLES[:5], said, BACKGROUND, OPTIONS).report()
    assert (report["p50_ms"], report["stages_ms"]) == (3.0, {"forward": 2.0, "search": 1.0})
    assert (report["fallbacks"], report["failures"], report["empty"]) == (2, {"Infeasible": 2}, 40.0)
    with pytest.raises(InvalidInput, match="batch"):
        run_system(system, EXAMPLES, "d", batch=0)


def test_templates_are_a_system_without_a_model() -> None:
    templates = Templates.load(samples.TEMPLATES)
    system = load_system(SystemOptions(ModelChoice(templates=samples.TEMPLATES), "templates"))
    assert isinstance(system.generator, TemplateSystem)
    said = run_system(system.generator, EXAMPLES, system.decoder)
    assert said.texts == [templates.text(example) for example in EXAMPLES]
    with pytest.raises(InvalidInput, match="templates"):
        load_system(SystemOptions(decoder="templates"))
    with pytest.raises(InvalidInput, match="model"):
        load_system(SystemOptions(decoder="greedy"))
    with pytest.raises(InvalidInput, match="decoder"):
        load_system(SystemOptions(ModelChoice(name="sgd-mini"), "gready"))


def test_the_log_of_test_data(tmp_path: Path) -> None:
    names = ("test.jsonl.gz", "test_full.jsonl", "dart-v1-test.xml", "dev.jsonl", "latest.jsonl", "contest.json")
    assert [is_test(Path(name)) for name in names] == [True, True, True, False, False, False]
    data, log = tmp_path / "test.jsonl", tmp_path / "results" / "log.jsonl"
    data.write_text("{}\n")
    report = evaluated([example.target for example in EXAMPLES]).report()
    assert [log_scoring(log, data, {"model": "m"}, report) for _ in range(3)] == [0, 1, 2]
    data.write_text("{ }\n")
    assert log_scoring(log, data, {"model": "m"}, report) == 0
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert [entry["scored_before"] for entry in entries] == [0, 1, 2, 0]
    assert entries[0]["figures"]["bleu"] == 100.0 and entries[0]["commit"] and entries[0]["system"] == {"model": "m"}
