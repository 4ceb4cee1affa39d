"""Documents that cannot go stale unnoticed: the examples of pages run, and what documents name exists."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import scaling_plan

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
PROGRAM = re.compile(r"```python\n(.*?)```\n\nIt prints:\n\n```text\n(.*?)```", flags=re.DOTALL)
EXAMPLES = [PROGRAM.findall((ROOT / f"docs/{page}.md").read_text("utf-8"))[0] for page in ("engine", "data")]
NAMED = sorted(set(re.findall(r"`([\w/]+)\.py::(\w+)`", (ROOT / "docs/paper_map.md").read_text("utf-8"))))


@pytest.mark.parametrize(("program", "printed"), EXAMPLES, ids=("engine", "data"))
def test_the_examples_of_pages_print_what_they_say(program: str, printed: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == printed


@pytest.mark.parametrize(("module", "name"), NAMED)
def test_what_the_paper_map_calls_there_is_there(module: str, name: str) -> None:
    path = module.replace("/", ".")
    beside = path.split(".")[0] in ("recipes", "benchmarks", "tools")
    assert hasattr(importlib.import_module(path if beside else f"controldag.{path}"), name)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", document.read_text("utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target.partition("#")[0]).exists(), target  # `make docs` looks for the heading


def test_every_table_row_of_the_paper_is_in_the_map() -> None:
    tables = re.split(r"^## Table ", (ROOT / "docs/paper_map.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    rows = [[int(number) for number in re.findall(r"^\| (\d+) \|", table, flags=re.MULTILINE)] for table in tables]
    assert rows == [list(range(1, 12)), list(range(1, 6)), list(range(1, 12))]


@pytest.mark.parametrize("unit", scaling_plan.SOURCES)
def test_the_plan_for_a_billion_utterances_is_what_was_measured(unit: str) -> None:
    rows = (ROOT / "docs/scaling.md").read_text("utf-8")
    assert scaling_plan.row(unit) in rows or f"| one {unit} | not measured yet" in rows, "python -m tools.scaling_plan"


def test_the_figures_of_the_package_are_those_of_their_file() -> None:
    figures = json.loads((ROOT / "results/package.json").read_text("utf-8"))["figures"]
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    for name in ("python_lines_beside", "longest_file", "imports_between_rooms", "files_visited_by_one_text"):
        assert f"| {figures['before'][name]:,} | {figures['now'][name]:,} |" in page, name
    files, lines = (
        [figures[when][f"python_{what}_shipped"] for when in ("before", "now")] for what in ("files", "lines")
    )
    assert f"| {files[0]}, {lines[0]:,} | {files[1]}, {lines[1]:,} |" in page
    assert f"| {figures['before']['commands']}, {figures['before']['options']} | {figures['now']['commands']}, " in page
