"""One part and its worker: nothing half-written, nothing said twice, and a deadly line costs only itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from controldag.checkpoint.choice import ModelChoice
from controldag.errors import InvalidInput
from controldag.generation.json_requests import BadLine
from controldag.generation.request import Request
from controldag.scale.job import FileJob
from controldag.scale.part_folder import PartFolder
from controldag.scale.parts import Part, divide
from controldag.scale.say_part import say_part

LINES = 6


class Killed(BaseException):
    """What a worker that dies looks like to the code after it: nothing of it runs."""


class Speaker:
    """Says the id of each request; dies or stumbles on those it is told."""

    def __init__(self, *, deadly: str = "", faulty: str = "") -> None:
        self.deadly = deadly
        self.faulty = faulty
        self.said: list[str] = []

    def __call__(self, chunk: Sequence[Request | BadLine]) -> Iterator[dict[str, Any]]:
        for each in chunk:
            if each.id == self.deadly:
                raise Killed
            if each.id == self.faulty:
                raise KeyError(each.id)
            self.said.append(each.id)
            yield {"id": each.id, "text": f"text of {each.id}"}


@pytest.fixture
def job(tmp_path: Path) -> FileJob:
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps({"id": f"l{n}", "acts": ["GOODBYE"]}) + "\n" for n in range(LINES)))
    return FileJob(
        source=source, shown="in.jsonl", out=tmp_path / "out.jsonl", model=ModelChoice(name="sgd-mini"), part=LINES
    )


@pytest.fixture
def part(job: FileJob) -> Part:
    return divide(job.source, job.part).parts[0]


def written(folder: Path, part: Part) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / part.name).read_text().splitlines()]


def test_a_part_is_written_with_its_counts_and_not_said_again(job: FileJob, part: Part, tmp_path: Path) -> None:
    speaker = Speaker()
    counts = say_part(speaker, job, part, tmp_path)
    assert counts == {"lines": LINES, "errors": 0}
    assert written(tmp_path, part)[0] == counts
    assert say_part(speaker, job, part, tmp_path) == counts
    assert speaker.said == [f"l{n}" for n in range(LINES)]


def test_a_bug_costs_only_the_line_that_meets_it(job: FileJob, part: Part, tmp_path: Path) -> None:
    assert say_part(Speaker(faulty="l2"), job, part, tmp_path) == {"lines": LINES, "errors": 1}
    records = written(tmp_path, part)[1:]
    assert [record["id"] for record in records] == [f"l{n}" for n in range(LINES)]
    assert [record["kind"] for record in records if "error" in record] == ["InternalFault"]


def test_a_line_that_kills_its_worker_is_found_and_reported(job: FileJob, part: Part, tmp_path: Path) -> None:
    deaths = 0
    while not (tmp_path / part.name).exists():
        assert deaths < 10
        try:
            say_part(Speaker(deadly="l3"), job, part, tmp_path)
        except Killed:
            deaths += 1
    records = written(tmp_path, part)[1:]
    assert [record["id"] for record in records] == [f"l{n}" for n in range(LINES)]
    assert [(record["id"], record["kind"]) for record in records if "error" in record] == [("l3", "WorkerDied")]
    assert deaths == 4  # twice with the whole part, twice with the line


def test_workers_that_die_by_chance_cost_no_line(job: FileJob, part: Part, tmp_path: Path) -> None:
    for victim in ("l0", "l1", "l4", "l2", "l5"):
        with pytest.raises(Killed):
            say_part(Speaker(deadly=victim), job, part, tmp_path)
    assert say_part(Speaker(), job, part, tmp_path) == {"lines": LINES, "errors": 0}


def test_a_folder_belongs_to_one_run_and_one_setting(job: FileJob, part: Part) -> None:
    folder = PartFolder(job.out)
    with folder.held({"n_best": 1}), pytest.raises(InvalidInput, match="under way"), PartFolder(job.out).held({}):
        pass
    with pytest.raises(InvalidInput, match=r"other settings \(n_best\)"), folder.held({"n_best": 2}):
        pass
    with folder.held({"n_best": 1}):
        assert folder.missing([part]) == [part]
        say_part(Speaker(), job, part, folder.path)
        assert folder.missing([part]) == []
        folder.merge([part])
    assert [json.loads(line)["id"] for line in job.out.read_text().splitlines()] == [f"l{n}" for n in range(LINES)]
    assert not folder.path.exists()


def test_settings_tell_inputs_and_weights_apart(job: FileJob) -> None:
    settings = job.settings("abc")
    assert settings["in"] == "abc"
    assert len(settings["model"]["sha256"]) == 64
    json.dumps(settings)
