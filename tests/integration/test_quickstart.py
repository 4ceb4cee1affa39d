"""The quickstart does what it says, and the API page names all that is there, as it is."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import controldag as cd
from controldag.checkpoint.folder import has_weights
from controldag.cli.main import app

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "quickstart.md").read_text("utf-8")
API = (DOCS / "api.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ controldag (generate .*)\n(.*)$", PAGE, flags=re.MULTILINE)
WHOLE = ("Request", "Length", "Act", "Triple", "contains", "any_of", "in_order", "pattern", "words", "vocabulary")
needs_weights = pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights are not in this copy")


@needs_weights
@pytest.mark.parametrize(("command", "printed"), COMMANDS)
def test_commands_print_what_the_page_says(command: str, printed: str) -> None:
    done = CliRunner().invoke(app, shlex.split(command))
    assert (done.exit_code, done.stdout) == (0, f"{printed}\n")


@needs_weights
def test_the_program_prints_what_the_page_says(tmp_path: Path) -> None:
    ((program, printed),) = re.findall(r"```python\n(.*?)```\n\nIt prints:\n\n```text\n(.*?)```", PAGE, flags=re.DOTALL)
    command = [sys.executable, "-X", "utf8", "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)


@needs_weights
def test_the_schema_of_the_page_makes_a_service(tmp_path: Path) -> None:
    (schema,) = re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)
    (tmp_path / "schema.json").write_text(schema)
    done = CliRunner().invoke(app, ["new-service", str(tmp_path / "schema.json"), "--no-serve", "--json"])
    told = json.loads(done.stdout)
    assert told["advice"] == [] and all("text" in turn for turn in told["turns"])


def shown(name: str, called: Any) -> str:
    """How the page writes a call: names and defaults, no types."""
    signature = inspect.signature(called)
    bare = [each.replace(annotation=each.empty) for each in signature.parameters.values() if each.name != "self"]
    return f"{name}{signature.replace(parameters=bare, return_annotation=signature.empty)}".replace("'", '"')


def test_the_api_page_names_everything() -> None:
    assert [name for name in cd.__all__ if name != "__version__" and f"`{name}" not in API] == []
    for name in WHOLE:
        assert f"`{shown(name, getattr(cd, name))}`" in API
    assert f"`{shown('ControlDag.from_pretrained', cd.ControlDag.from_pretrained)}`" in API
    assert f"`{shown('.generate', cd.ControlDag.generate)}`" in API
