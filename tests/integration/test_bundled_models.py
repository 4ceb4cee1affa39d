"""The bundled models: promises kept on our own inputs and on real ones."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

import controldag as cd
from controldag.checkpoint.folder import has_weights
from controldag.cli.main import app
from controldag.data.read import read_examples
from controldag.data.samples import DEMO_ACTS
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.slot_error import slot_error_rate


def test_sgd_mini_is_bundled() -> None:
    assert has_weights("sgd-mini")


def test_the_demo_keeps_every_promise_that_greedy_breaks() -> None:
    result = CliRunner().invoke(app, ["demo", "--json"])
    assert result.exit_code == 0, result.output
    views = json.loads(result.stdout)["examples"]
    assert len(views) >= 8
    assert any(view["outputs"]["greedy"]["missing"] for view in views)
    for view in views:
        said = view["outputs"]["cascade"]
        assert said["text"] and not said["missing"] and not said["wrong"], view


@pytest.mark.realdata
def test_slot_errors_and_numbers_on_real_turns(data: Path) -> None:
    nlg = cd.ControlDag.from_pretrained("sgd-mini")
    examples = list(islice(read_examples(data / "sgd" / "dev.jsonl.gz"), 100))
    results = nlg.generate_batch([Request(example) for example in examples])
    texts = [result.text for result in results if isinstance(result, Result)]
    assert len(texts) == len(examples)
    assert nlg.knowledge.schema is not None
    assert slot_error_rate(examples, texts, nlg.knowledge.schema).errors == 0
    for example, text in zip(examples, texts, strict=True):
        digits = set(re.findall("[0-9]+", " ".join(v for act in example.acts for v in act.values)))
        assert set(re.findall("[0-9]+", text)) <= digits


@pytest.mark.parametrize("states", [200_000, 3_000])
def test_a_list_begins_with_the_text_that_is_found_alone(states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controldag.search.patient._WEIGHTED_STATES", states)
    nlg = cd.ControlDag.from_pretrained("sgd-mini")
    asked = [
        request_of(json.loads(line), Request((), trust="graph")) for line in DEMO_ACTS.read_text("utf-8").splitlines()
    ]
    alone = nlg.generate_batch(asked)
    several = nlg.generate_batch([replace(request, n_best=5) for request in asked])
    chosen_without = 0
    for one, many in zip(alone, several, strict=True):
        assert isinstance(one, Result) and isinstance(many, Result)
        assert many.text == many.n_best[0].text == one.text
        assert many.objective == pytest.approx(one.objective)
        assert len({each.text for each in many.n_best}) == 5
        objectives = [each.objective for each in many.n_best]
        assert objectives == sorted(objectives)
        if not one.left_out and many.left_out:
            chosen_without += 1
            assert many.left_out == ("language model in the choice of all texts but the best",)
            assert all(each.ngrams for each in many.n_best)
    assert chosen_without or states > 3_000
