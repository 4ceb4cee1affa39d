"""What ships the package names things that exist: workflows, Dockerfile, pins; and generation opens no connection."""

from __future__ import annotations

import importlib.metadata
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from controldag.checkpoint.folder import has_weights
from controldag.cli.main import app
from tools.make_constraints import BUILD_TOOLS, extras

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, flags=re.MULTILINE))
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8"))
INSTRUCTIONS = [line.partition(" ")[::2] for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]
PINS = {
    canonicalize_name(name): version
    for name, _, version in (line.partition("==") for line in (ROOT / "constraints.txt").read_text("utf-8").split("\n"))
    if version
}


PLAIN = {"extra": ""}  # an environment in which no extra is asked for


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_both_workflows_are_there() -> None:
    assert [path.stem for path in WORKFLOWS] == ["checks", "wheels"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_what_exists(workflow: Path) -> None:
    document = yaml.safe_load(workflow.read_text("utf-8"))
    assert document["permissions"] == {"contents": "read"}
    for step in steps(workflow):
        for word in re.findall(r"\bmake ([a-z]+)", step.get("run", "")):
            assert word in TARGETS
        for name in re.findall(r"controldag ((?:[a-z]+ ?)*)", step.get("env", {}).get("CIBW_TEST_COMMAND", "")):
            assert CliRunner().invoke(app, [*name.split(), "--help"]).exit_code == 0
    for used in re.findall(r"uses: (.*)", workflow.read_text("utf-8")):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used


def test_the_checks_run_on_every_python_that_is_promised() -> None:
    (job,) = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text("utf-8"))["jobs"].values()
    promised = [name.split(" :: ")[-1] for name in PROJECT["classifiers"] if "Python :: 3." in name]
    assert job["strategy"]["matrix"]["python"] == promised
    ran = [step["run"] for step in job["steps"] if "run" in step]
    assert {"make check", "make test"} <= set(ran)


def test_the_image_copies_what_exists_and_its_context_holds_it() -> None:
    let_in = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert let_in[0] == "*"
    copied = [shlex.split(rest)[:-1] for word, rest in INSTRUCTIONS if word == "COPY" and "--from" not in rest]
    names = [name for group in copied for name in group]
    assert {"pyproject.toml", "constraints.txt", "src", "cpp", "CMakeLists.txt"} <= set(names)
    for name in names:
        assert (ROOT / name).exists() and f"!{name}" in let_in, name
    for sources in (PROJECT["readme"], PROJECT["license"]["file"]):
        assert sources in names  # the build reads them
    (wanted,) = re.findall(r"'\.\[(\w+)\]'", DOCKERFILE)
    assert wanted in extras()


def test_the_image_runs_a_command_that_exists_as_nobody_special() -> None:
    last = dict(INSTRUCTIONS)  # what the final stage says last
    assert last["USER"] == "10001" and "--uid 10001" in DOCKERFILE
    entry = json.loads(last["ENTRYPOINT"])
    assert entry[0] in PROJECT["scripts"]
    shown = CliRunner().invoke(app, [entry[1], "--help"]).output
    assert all(word in shown for word in entry if word.startswith("--"))
    assert last["EXPOSE"] == entry[entry.index("--port") + 1]
    check = last["HEALTHCHECK"].partition("CMD ")[2]
    program = json.loads(check)[2]
    compile(program, "HEALTHCHECK", "exec")
    (path,) = re.findall(rf":{last['EXPOSE']}(/\w+)", program)
    assert f'"{path}"' in (ROOT / "src/controldag/serving/app.py").read_text("utf-8")
    assert sum(word == "FROM" for word, _ in INSTRUCTIONS) == 2


def test_every_requirement_of_every_extra_is_pinned() -> None:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values(), BUILD_TOOLS]
    for requirement in (Requirement(each) for group in groups for each in group):
        if requirement.name != PROJECT["name"]:
            pin = PINS.get(canonicalize_name(requirement.name))
            assert pin and requirement.specifier.contains(pin, prereleases=True), requirement


def test_what_is_installed_beneath_them_is_pinned_too() -> None:
    waiting, seen = [PROJECT["name"]], set()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in seen:
            continue
        seen.add(name)
        try:
            found = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # of an extra that is not installed here
        needed = (
            each for each in map(Requirement, found) if each.marker is None or each.marker.evaluate({"extra": ""})
        )
        waiting += [requirement.name for requirement in needed]
    assert sorted(seen - PINS.keys() - {canonicalize_name(PROJECT["name"])}) == []


PROGRAM = """
import socket
def refuse(*_, **__):
    raise AssertionError("a connection was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import controldag as cd
model = cd.ControlDag.from_pretrained("sgd-mini")
print(model.generate([cd.Act("OFFER", "hotel_name", ("Avon",))], service="Hotels_1").text)
"""


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy")
def test_generation_opens_no_connection() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Avon" in done.stdout
