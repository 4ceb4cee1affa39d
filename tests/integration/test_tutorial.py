"""docs/tutorial.md works: every command on it, in order; training is cut to a few steps."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import controldag as cd
from benchmarks.serving.served_process import served_process
from controldag.checkpoint.folder import has_weights
from controldag.cli.main import app
from tests.integration.document_commands import shown
from tools.make_library_sample import DEV, SCHEMA, TRAIN, records

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/tutorial.md").read_text("utf-8")
COMMANDS = list(shown(ROOT / "docs/tutorial.md"))
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
def test_every_command_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    beside = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{beside}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}

    def run(command: str) -> str:
        """In a process of its own where it is no command of ours, or changes what torch does to other tests."""
        words = shlex.split(command)
        if words[0] == "controldag" and words[1] != "train":
            here = CliRunner().invoke(app, words[1:], catch_exceptions=False)
            assert here.exit_code == 0, f"{command}\n{here.output}"
            return here.stdout
        done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return done.stdout

    typed = [each for each in COMMANDS if not each.inline]
    named = "-r data data new-service generate generate evaluate train package evaluate generate serve -s"
    assert [each.command.split()[1] for each in typed] == named.split()
    for each in typed[:-2]:
        short = " --steps 2 --validation-examples 2" if " train " in each.command else ""
        short = " --limit 4 --draws 10 --json" if " evaluate " in each.command else short
        told = run(each.command + short)
        assert not each.printed or told == f"{each.printed}\n"
        if " evaluate " in each.command:
            assert json.loads(told)["failures"] == {}
        if "--model library-model" in each.command and " generate " in each.command:
            assert all(value in told for value in ("Paper Boats", "Harbour", "May 5th"))
    serve, curl = (each.command for each in typed[-2:])
    model = serve.split()[-1]
    with served_process("--model", str(tmp_path / model), "--deadline-ms", "60000") as served:
        here = curl.replace("http://127.0.0.1:8000/", served.url)
        assert here != curl
        (result,) = json.loads(run(here))["results"]
        models = json.loads(run(f"curl -s {served.url}v1/models"))["models"]
    assert "May 5th" in result["text"] and "please" not in result["text"]
    assert {item["service"] for item in models[0]["examples"]} == {"Library_1"} == set(models[0]["services"])


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy")
def test_the_table_shows_what_the_model_says() -> None:
    table = re.findall(r"^\| (.*) \|$", DOCUMENT.partition("## What it brought here")[2], flags=re.MULTILINE)
    header, row = (line.split(" | ") for line in table[:2])
    assert row[0] == "`sgd-mini` with the schema, `--decoder control-dag`"
    nlg = cd.ControlDag.from_pretrained("sgd-mini", schema=cd.Schema.load(SAMPLE / "schema.json"))
    for acts, text in zip(header[-2:], row[-2:], strict=True):
        asked = re.findall(r"\w+\([^)]*\)", acts)
        assert nlg.generate(asked, service="Library_1", decoder="control-dag").text == text
