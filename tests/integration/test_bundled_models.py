"""The bundled models: promises kept on our own inputs and on real ones."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

import controldag as cd
from controldag.cli.main import app
from controldag.data.read import read_examples
from controldag.generation.checkpoint import has_weights
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
        said = view["outputs"]["control-dag"]
        assert said["text"] and not said["missing"], view


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
