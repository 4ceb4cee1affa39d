"""What `import controldag` offers, and what it leaves alone."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import controldag

HEAVY = ("torch", "transformers", "matplotlib", "pynini", "sacrebleu", "sentencepiece", "spellchecker", "typer")


@pytest.mark.parametrize("package", ["controldag", "controldag.constraints", "controldag.search"])
def test_every_listed_name_is_there(package: str) -> None:
    module = importlib.import_module(package)
    assert sorted(module.__all__) == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_the_engine_is_within_reach() -> None:
    wanted = {"Dag", "Surfaces", "prune", "contains", "vocabulary", "Length", "search", "Infeasible", "LatticeTooLarge"}
    assert wanted <= set(controldag.__all__)


def test_importing_takes_along_nothing_heavy() -> None:
    program = f"import sys, controldag; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_readers_of_types_find_them() -> None:
    assert (Path(controldag.__file__).parent / "py.typed").is_file()
