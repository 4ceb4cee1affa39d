"""`controldag generate --ray` on a cluster of several processes that are killed: no line is lost, none said twice."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest
from typer.testing import CliRunner

from controldag.checkpoint.folder import has_weights
from controldag.cli.main import app
from controldag.data import samples
from controldag.errors import InvalidInput

T = TypeVar("T")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy"),
]
LINES, PART, BAD = 120, 2, (7, 100)
COMMAND = (sys.executable, "-m", "controldag.cli.main", "generate", "--in", "in.jsonl")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With `in.jsonl`, and in `plain.jsonl` what one process says to it."""
    folder = tmp_path_factory.mktemp("ray")
    inputs = [json.loads(line) for line in samples.DEMO_ACTS.read_text("utf-8").splitlines()]
    lines = [json.dumps({**inputs[number % len(inputs)], "id": f"line-{number}"}) for number in range(LINES)]
    for number in BAD:
        lines[number] = json.dumps({"id": f"line-{number}", "acts": ["OFFER(city"]})
    (folder / "in.jsonl").write_text("\n".join(lines) + "\n\n", "utf-8")
    done = subprocess.run([*COMMAND, "--out", "plain.jsonl"], cwd=folder, check=False)
    assert done.returncode == 2  # it has lines with errors
    return folder


@contextmanager
def started(folder: Path) -> Iterator[subprocess.Popen[str]]:
    options = ("--out", "out.jsonl", "--ray", "local", "--workers", "3", "--part", str(PART))
    process = subprocess.Popen([*COMMAND, *options], cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(what: Callable[[], T], process: subprocess.Popen[str]) -> T:
    until = time.monotonic() + 200
    while not (found := what()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


def parts(folder: Path) -> list[Path]:
    return list((folder / "out.jsonl.parts").glob("*.jsonl"))


def workers_of(driver: subprocess.Popen[str]) -> list[psutil.Process]:
    children = psutil.Process(driver.pid).children(recursive=True)
    return [child for child in children if child.is_running() and child.name().startswith("ray::MapWorker")]


def busy_workers(driver: subprocess.Popen[str]) -> list[psutil.Process]:
    """Workers with a part in their hands; Ray writes into a process's name what it does."""
    return [worker for worker in workers_of(driver) if "submit" in " ".join(worker.cmdline())]


def said(path: Path) -> list[dict[str, Any]]:
    """Id, and text or error. Times differ, and costs in their last digits with what else was in the batch."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{name: record.get(name) for name in ("id", "text", "error", "kind")} for record in records]


def test_a_killed_driver_and_then_a_killed_worker_lose_and_repeat_no_line(folder: Path) -> None:
    with started(folder) as driver:
        wait_for(lambda: len(parts(folder)) >= 4, driver)
        workers = workers_of(driver)
        assert len(workers) == 3
        driver.kill()
    _, alive = psutil.wait_procs(workers, 60)
    assert not alive, "workers outlived their driver"
    assert not (folder / "out.jsonl").exists()
    kept = [path.read_text("utf-8").split("\n", 1)[1] for path in parts(folder)]
    assert 4 <= len(kept) < LINES / PART

    with started(folder) as driver:
        busy = wait_for(lambda: len(parts(folder)) > len(kept) and busy_workers(driver), driver)
        busy[0].kill()
        assert len(parts(folder)) < LINES / PART, "it had finished before the kill"
        _, told = driver.communicate(timeout=250)
        assert driver.returncode == 2, told
    assert "died" in told
    assert said(folder / "out.jsonl") == said(folder / "plain.jsonl")
    assert [record["id"] for record in said(folder / "out.jsonl") if record["error"]] == [f"line-{n}" for n in BAD]
    # The times in it show that what the killed run had finished was taken over, not said again.
    written = (folder / "out.jsonl").read_text("utf-8")
    assert all(text in written for text in kept)
    assert not (folder / "out.jsonl.parts").exists()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--ray", "127.0.0.1:1", "--out", "x.jsonl"), "`ray` must be"),
        (("--ray", "ray://somewhere:10001", "--out", "x.jsonl"), "`ray` must be"),
        (("--ray", "local"), "--in and --out"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(
    options: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"acts": ["GOODBYE"]}\n')
    result = CliRunner().invoke(app, ["generate", "--in", "in.jsonl", *options])
    assert isinstance(result.exception, InvalidInput)
    assert complaint in str(result.exception)
