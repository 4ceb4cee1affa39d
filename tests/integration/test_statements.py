"""What pages state is so: figures are those of result files and code, files and results that they name are there."""

from __future__ import annotations

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

from controldag.cli.main import COMMANDS
from tests.integration.document_commands import EVERY
from tests.integration.statements import PAGES, ROOT

# CHANGELOG.md tells of files as they were.
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(ROOT.glob("docs/*.md"))]
NAMED_IN = [*DOCUMENTS, *sorted(ROOT.glob("docs/decisions/*.md")), *sorted(ROOT.glob("results/**/*.md"))]
SOURCE = re.compile(r"`([a-z_][a-z_0-9/]*\.(?:py|cc|h|js|sh|yaml))`")
RESULT = re.compile(r"`((?:results|benchmarks/results)/[\w./-]+|(?:\.\./)*tuning/[\w.-]+\.json)`")
OPTION = re.compile(r"`(--[a-z][\w-]+)")


@cache
def tracked() -> str:
    """The paths of all files of the repository, a line each."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return "\n" + "\n".join(f"/{line}" for line in listed.splitlines()) + "\n"


@pytest.mark.parametrize(
    ("page", "stated"),
    [(page, each) for page, every in PAGES.items() for each in every()],
    ids=lambda each: " ".join(each.split())[:60],
)
def test_figures_and_names_of_pages_are_those_of_code_and_result_files(page: str, stated: str) -> None:
    text = " ".join((ROOT / page).read_text("utf-8").replace("**", "").split())
    assert " ".join(stated.replace("**", "").split()) in text


@pytest.mark.parametrize("page", NAMED_IN, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [name for name in SOURCE.findall(text) if f"/{name}\n" not in tracked()] == []
    places = (ROOT, page.parent, ROOT / "results")
    assert [name for name in RESULT.findall(text) if not any((place / name).exists() for place in places)] == []


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_five_statements_of_every_page_are_checked(page: Path) -> None:
    """Here, or as a command that a test runs or reads, an option, a link, or a file that is named."""
    text = page.read_text("utf-8")
    checked = [*SOURCE.findall(text), *RESULT.findall(text), *OPTION.findall(text), *re.findall(r"\]\(([^)]+)\)", text)]
    checked += [each.command for each in EVERY if each.document == page]
    checked += PAGES.get(str(page.relative_to(ROOT)), lambda: iter(()))()
    assert len(set(checked)) >= 5


def test_the_readme_has_every_room_and_every_command() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    rooms = {path.parent.name for path in (ROOT / "src/controldag").glob("*/__init__.py")}
    assert {room for room in rooms if not re.search(rf"[`/]{room}`", text)} == set()
    commands = text.partition("| command | what it does |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \|", commands, flags=re.MULTILINE)
    assert set(rows) == {*COMMANDS, "bench"} and len(rows) == len(set(rows))


def test_the_page_of_architecture_has_every_part_that_import_linter_knows() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    parts = {part for layer in contracts[0]["layers"] for part in re.findall(r"controldag\.(\w+)", layer)}
    table = (ROOT / "docs/architecture.md").read_text("utf-8").partition("## Who may import whom")[2].partition("![")[0]
    assert {part for part in parts if f"`{part}`" not in table} == set()
