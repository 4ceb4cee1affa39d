"""Bundled models and the verifier without torch: every command that runs one, and the same texts as with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controldag.data.samples import DEMO_ACTS, DEMO_TRIPLES
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.model.inference.predict import TorchPredictor
from controldag.pipeline import ControlDag

PROGRAM = """
import sys
for name in ("torch", "transformers", "accelerate"):
    sys.modules[name] = None  # an import now fails
from controldag.cli.main import app

from controldag.data.samples import ACTS

acts, service = "OFFER(city=Berkeley)", "Restaurants_1"
for words in (
    ["generate", acts, "--service", service],
    ["inspect", acts, "--service", service, "--out", "page.html", "-q"],
    ["verify", "--data", str(ACTS), "--outputs", "said.txt", "--limit", "1", "-q"],
):
    app(words, standalone_mode=False)

from starlette.testclient import TestClient
from controldag import ControlDag
from controldag.serving.app import make_app

with TestClient(make_app([ControlDag.from_pretrained("sgd-mini")])) as client:
    asked = {"items": [{"acts": [{"act": "OFFER", "slot": "city", "values": ["Berkeley"]}], "service": service}]}
    answer = client.post("/v1/generate", json=asked)
    assert answer.status_code == 200, answer.text
    print(answer.json()["results"][0]["text"])
"""


def test_models_are_run_inspected_verified_and_served_without_torch(tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("There is a ferry.", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert "Berkeley" in said[0] and said[0] == said[-1] and "There is a ferry." in done.stdout
    assert "<svg" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(("name", "path"), [("sgd-mini", DEMO_ACTS), ("dart-mini", DEMO_TRIPLES)])
def test_texts_and_costs_are_those_of_torch(name: str, path: Path) -> None:
    ours = ControlDag.from_pretrained(name)
    checkpoint = ours.checkpoint
    torch = TorchPredictor.load(checkpoint.folder, ours.predictor.surfaces, tokenizer=checkpoint.tokenizer_model)
    theirs = ControlDag(checkpoint, torch)
    asked = [request_of(json.loads(line), Request((), trust="graph")) for line in path.read_text("utf-8").splitlines()]
    for found, wanted in zip(ours.generate_batch(asked), theirs.generate_batch(asked), strict=True):
        assert isinstance(found, Result) and isinstance(wanted, Result)
        assert found.text == wanted.text
        assert found.cost == pytest.approx(wanted.cost, rel=1e-4)
