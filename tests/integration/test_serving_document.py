"""What docs/serving.md shows works: its curl commands and its Python, against a service of the bundled model."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.serving.served_process import ServedProcess, served_process
from controldag.checkpoint.folder import has_weights

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy"),
]
DOCUMENT = (Path(__file__).resolve().parents[2] / "docs/serving.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ (curl (?:.|\n(?!\$|```))*)", DOCUMENT, flags=re.MULTILINE)
PROGRAM = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)
ADDRESS = "http://127.0.0.1:8000/"


@pytest.fixture(scope="module")
def served() -> Iterator[ServedProcess]:
    with served_process("--model", "sgd-mini", "--deadline-ms", "60000") as running:
        yield running


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_curl_commands_answer(served: ServedProcess) -> None:
    assert len(COMMANDS) == 4
    told = []
    for command in COMMANDS:
        here = re.sub('"deadline_ms": 5000', '"deadline_ms": 60000', command.replace(ADDRESS, served.url))
        done = subprocess.run(["bash", "-c", here], capture_output=True, text=True, check=True)
        told.append(json.loads(done.stdout))
    one, several, laid, models = told
    assert "71 Saint Peter" in one["results"][0]["text"]
    assert several["results"][0]["n_best"][0]["text"] == several["results"][0]["text"]
    assert "degrees" not in several["results"][0]["text"]
    assert several["results"][1]["error"]["kind"] == "InvalidInput"
    assert "$317" in laid["result"]["text"]
    assert laid["svg"].startswith("<svg")
    assert models["models"][0]["name"] == "sgd-mini"


def test_the_python_example_prints_what_it_promises(served: ServedProcess) -> None:
    (program,) = PROGRAM
    here = program.replace(ADDRESS, served.url)
    assert here != program
    done = subprocess.run([sys.executable, "-c", here], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "71 Saint Peter" in lines[0]
    assert lines[-1].startswith('Infeasible ("contains(')
