"""docs/tutorial.md works: every command on it, in order; training is cut to a few steps."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.serving.served_process import served_process
from controldag.checkpoint.folder import has_weights
from tools.make_library_sample import DEV, SCHEMA, TRAIN, records

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/tutorial.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ ((?:.|\n(?!\$|```))*)", DOCUMENT, flags=re.MULTILINE)
SAMPLE = ROOT / "examples" / "library"


def test_the_sample_is_what_its_tool_makes() -> None:
    assert json.loads((SAMPLE / "schema.json").read_text("utf-8")) == SCHEMA
    for name, count, seed in (("train", TRAIN, 1), ("dev", DEV, 2)):
        lines = (SAMPLE / f"{name}.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line) for line in lines] == records(count, seed)


def test_the_records_it_shows_are_of_the_sample() -> None:
    service, turn = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", DOCUMENT, flags=re.DOTALL))
    assert turn in records(TRAIN, 1)
    assert service["slots"][0] in SCHEMA[0]["slots"]  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy")
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_every_command_works(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    beside = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{beside}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return done.stdout

    named = "-r data data new-service generate evaluate train package evaluate generate serve -s"
    assert [command.split()[1] for command in COMMANDS] == named.split()
    said = {}
    for command in COMMANDS[:-2]:
        short = " --steps 2 --validation-examples 2" if " train " in command else ""
        short = " --limit 4 --draws 10" if " evaluate " in command else short
        said[command] = run(command + short)
    generated = [text for command, text in said.items() if " generate " in command]
    assert len(generated) == 2
    for text in generated:
        assert all(value in text for value in ("Paper Boats", "Harbour", "May 5th"))
    serve, curl = COMMANDS[-2:]
    model = serve.split()[-1]
    with served_process("--model", str(tmp_path / model), "--deadline-ms", "60000") as served:
        here = curl.replace("http://127.0.0.1:8000/", served.url)
        assert here != curl
        (result,) = json.loads(run(here))["results"]
        models = json.loads(run(f"curl -s {served.url}v1/models"))["models"]
    assert "May 5th" in result["text"] and "please" not in result["text"]
    assert {item["service"] for item in models[0]["examples"]} == {"Library_1"} == set(models[0]["services"])
