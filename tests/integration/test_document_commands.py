"""Every command in every document is one that there is, and prints what the document says it prints."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.__main__ import app as benchmarks
from controldag.checkpoint.folder import has_weights
from controldag.cli.main import app as controldag
from controldag.data import samples
from controldag.errors import ControlDagError
from recipes.__main__ import app as recipes
from tests.integration.document_commands import EVERY, ROOT, Shown
from tools import make_cli_page

APPS = {"controldag": controldag, "controldag bench": benchmarks, "python -m benchmarks": benchmarks}
APPS["python -m recipes"] = recipes
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
COMMANDS = {
    name: command
    for root, app in APPS.items()
    for name, command in make_cli_page.commands(root, typer.main.get_command(app))
}
# What prints something is run here; these pages have tests of their own, which run all of a page in order.
FOLLOWED = ("tutorial.md", "quickstart.md", "serving.md")
PRINTING = [
    each
    for each in EVERY
    if each.printed and each.command.startswith("controldag ") and each.document.name not in FOLLOWED
]


# Those that print nothing worth showing, and take seconds: a cluster, a conversation and long scorings are left out.
SILENT = [
    each
    for each in EVERY
    if re.match(r"controldag (generate|inspect|new-service my-)", each.command)
    and not (each.printed or each.inline or "--ray" in each.command or each.document.name in FOLLOWED)
]


def marks(asked: Shown) -> list[pytest.MarkDecorator]:
    return [pytest.mark.realdata] if re.search(r"\b(sgd|dart)/", asked.command) else []


def simple(command: str) -> list[list[str]]:
    """The commands of a line as words: what stands between `&&`, `|` and `;`, without settings of variables."""
    parts: list[list[str]] = [[]]
    lexer = shlex.shlex(command, posix=True, punctuation_chars="&|;<>")
    lexer.whitespace_split = True
    for word in lexer:
        if set(word) <= set("&|;<>"):
            parts.append([])
        elif parts[-1] or not re.match(r"[A-Z_]+=", word):
            parts[-1].append(word)
    return [part for part in parts if part]


def options(command: Any) -> set[str]:
    return {"--help", "--debug", *(name for each in command.params for name in (*each.opts, *each.secondary_opts))}


def check(words: list[str]) -> None:
    """Raises where the words call something that is not there, or with options that it does not have."""
    typed = " ".join(words)
    if words[0] == "make":
        assert {word for word in words[1:] if "=" not in word} <= TARGETS, typed
    elif words[0].startswith("tools/"):
        assert (ROOT / words[0]).is_file(), typed
    elif words[0] == "controldag" or words[:2] == ["python", "-m"]:
        name = max((each for each in COMMANDS if f"{typed} ".startswith(f"{each} ")), key=len, default="")
        if name:
            asked = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} - {"-m"}
            assert asked <= options(COMMANDS[name]), typed
        elif words[0] == "controldag" or words[2] in ("recipes", "benchmarks"):
            group = any(each.startswith(f"{typed} ") for each in (*APPS, *COMMANDS))
            assert group or typed in APPS or words[-1] in ("--version", "--help"), typed
        else:
            assert importlib.util.find_spec(words[2]), typed


@pytest.mark.parametrize("document", sorted({each.document for each in EVERY}), ids=lambda path: path.name)
def test_documents_show_commands_that_there_are(document: Path) -> None:
    for each in EVERY:
        if each.document == document:
            for words in simple(each.command.replace("…", "").replace("...", "")):
                check(words)


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights are not in this copy")
@pytest.mark.parametrize("asked", [pytest.param(each, marks=marks(each), id=str(each)) for each in PRINTING])
def test_commands_print_what_documents_say(
    asked: Shown, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = asked.command
    if marks(asked):
        data = str(request.getfixturevalue("data"))
        monkeypatch.setenv("CONTROLDAG_DATA", data)
        command = command.replace("../shared/data", data)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text(
        "\n".join([*samples.TRIPLES.read_text("utf-8").split("\n")[:2], "[]\n"]), "utf-8"
    )
    ((_, *words),) = simple(command)
    done = CliRunner().invoke(controldag, words)
    printed = f"error: {done.exception}" if isinstance(done.exception, ControlDagError) else done.stdout
    wanted = re.escape(asked.printed).replace(r"\.\.\.", ".*")
    assert re.fullmatch(wanted, re.sub(r" +$", "", printed, flags=re.MULTILINE).strip("\n"), flags=re.DOTALL), printed


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights are not in this copy")
@pytest.mark.parametrize("asked", SILENT, ids=str)
def test_commands_without_an_output_do_their_work(
    asked: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-library").symlink_to(ROOT / "examples" / "library")
    shutil.copy(samples.DEMO_ACTS, tmp_path / "requests.jsonl")
    ((_, *words),) = simple(asked.command)
    done = CliRunner().invoke(controldag, [*words, *(["--no-serve"] if words[0] == "new-service" else [])])
    assert done.exit_code == 0, done.output
    for written in (words[place + 1] for place, word in enumerate(words) if word in ("--out", "--svg")):
        assert (tmp_path / written).stat().st_size


@pytest.mark.parametrize("page", make_cli_page.PAGES)
def test_the_pages_of_commands_are_made_from_them(page: str) -> None:
    text = (make_cli_page.DOCS / page).read_text("utf-8")
    assert text == make_cli_page.made(page, text), "python -m tools.make_cli_page"


@pytest.mark.parametrize("command", [name for name in COMMANDS if name.startswith("controldag ")])
def test_the_readme_names_every_verb(command: str) -> None:
    verb = command.split()[1]
    assert f"`{verb}`" in (ROOT / "README.md").read_text("utf-8")
