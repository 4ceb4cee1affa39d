"""Mutation testing: which faults put into the checkers do their tests not notice?

    python -m tools.mutate --out results/mutation.json                   # all modules: half an hour
    python -m tools.mutate --out results/mutation.json metrics/bleu.py   # one of them anew; the others stay

Each mutant (`tools/mutants.py`) is tested in a process forked from one that has the libraries loaded. A mutant that no
test fails on is a survivor; `tools/equivalent_mutants.json` says of which survivors no test can tell, and why.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any

from tools.mutants import Mutant, mutants

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "controldag"
EXPLAINED = Path(__file__).with_name("equivalent_mutants.json")
_CHECK = ["tests/unit/constraints"]
_FILES = {"property": "tests/property/test_metrics.py"}
TESTS = {
    "constraints/check.py": _CHECK,
    "constraints/phrase_check.py": _CHECK,
    "constraints/vocabulary_check.py": _CHECK,
    "constraints/pattern_check.py": [*_CHECK, "tests/property/test_pattern_against_re.py"],
    **{
        f"metrics/{name}.py": [_FILES.get(each, f"tests/unit/metrics/test_{each}.py") for each in tests]
        for name, tests in {
            "background": ("signatures", "suite"),
            "bleu": ("bleu",),
            "bleu_statistics": ("bleu", "signatures", "property"),
            "bleurt": ("judged", "suite"),
            "bootstrap": ("measure", "property"),
            "categorical": ("checks", "signatures"),
            "chrf": ("signatures", "property", "suite"),
            "emptiness": ("checks", "signatures"),
            "foreign_values": ("checks", "signatures"),
            "inputs": ("checks",),
            "meaning": ("judged",),
            "measure": ("measure",),
            "neologism": ("checks", "signatures"),
            "occurrence_error": ("checks", "signatures"),
            "origins": ("judged",),
            "pairing": ("bleu", "suite"),
            "repetition": ("checks", "signatures"),
            "seen": ("suite",),
            "slot_error": ("slot_error", "signatures"),
            "splits": ("suite",),
            "strict_slots": ("strict_slots", "property", "signatures"),
            "suite": ("signatures", "suite"),
            "unsupported": ("checks", "signatures"),
        }.items()
    },
}
LIBRARIES = ("numpy", "sacrebleu", "spellchecker", "hypothesis", "pytest", "pytest_timeout", "onnxruntime", "typer")
SECONDS = 60  # of one test: one that hangs notices the mutant


def survivors_of(module: str, workers: int) -> dict[str, Any]:
    """How many mutants of a module there are, and those that its tests do not notice."""
    source = (PACKAGE / module).read_text("utf-8")
    if _noticed(module, Mutant(ast.parse(source), 0, "", "")):
        raise SystemExit(f"{module}: its tests fail without any fault; run them first: {' '.join(TESTS[module])}")
    made = list(mutants(source))
    with ThreadPoolExecutor(workers) as pool:
        noticed = list(pool.map(lambda each: _noticed(module, each), made))
    lines = source.splitlines()
    explained = {(each["module"], each["line"], each["now"]): each["why"] for each in equivalents()}
    survivors = []
    for each, seen in zip(made, noticed, strict=True):
        if not seen:
            line = lines[each.line - 1].strip()
            told = {"line": line, "was": each.was, "now": each.now, "why": explained.get((module, line, each.now), "")}
            survivors.append(told)
    return {"mutants": len(made), "killed": sum(noticed), "survivors": survivors, "tests": TESTS[module]}


def equivalents() -> list[dict[str, str]]:
    """The mutants that mean the same as the code does."""
    found: list[dict[str, str]] = json.loads(EXPLAINED.read_text("utf-8"))
    return found


def _noticed(module: str, mutant: Mutant) -> bool:
    """Whether a test fails, ends or hangs with the mutant in the module's place."""
    child = os.fork()
    if child == 0:
        _run_tests(module, mutant)
    _, status = os.waitpid(child, 0)
    return status != 0


def _run_tests(module: str, mutant: Mutant) -> None:
    """In the forked process: runs the module's tests and ends with their exit code."""
    code = 1
    with contextlib.suppress(BaseException):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        name = "controldag." + module.removesuffix(".py").replace("/", ".")
        sys.meta_path.insert(0, _InPlace(name, PACKAGE / module, mutant.tree))
        options = ["-x", "-p", "pytest_timeout", "-o", f"timeout={SECONDS}", "-m", "not slow and not realdata"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded before the tests start
        code = int(importlib.import_module("pytest").main([*options, *TESTS[module]]))
    os._exit(min(code, 1))


class _InPlace:
    """An importer that gives one module from a syntax tree instead of its file."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._name, self._path, self._tree = name, path, tree

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The module's own place, with the code of the tree."""
        if name != self._name:
            return None
        return spec_from_file_location(name, self._path, loader=_TreeLoader(name, self._path, self._tree))


class _TreeLoader(SourceFileLoader):
    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        super().__init__(name, str(path))
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from the tree, whatever the file holds."""
        return compile(self._tree, self.path, "exec")


def _load_dictionary() -> None:
    """Word lists that the metrics read, once for all mutants of metrics; it imports none of these."""
    importlib.import_module("controldag.text.independent_words").independent_words()
    importlib.import_module("controldag.data.read")
    assert not any(name.startswith("controldag.metrics") for name in sys.modules)


def _measured(modules: list[str], workers: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, module in enumerate(sorted(modules, key=list(TESTS).index), start=1):
        if module.startswith("metrics/"):
            _load_dictionary()
        found = survivors_of(module, workers)
        print(f"{number}/{len(modules)} {module}: {found['killed']} of {found['mutants']} noticed", flush=True)
        for each in found["survivors"]:
            print(f"    {each['line']}\n        {each['was']} -> {each['now']}  {each['why']}", flush=True)
        yield module, found


def _keep(path: Path, module: str, found: dict[str, Any]) -> None:
    """Adds what was found of a module to the file: what is there of others stays.

    In a process of its own: this one must not load the package, so that tests load it themselves, mutant and all.
    """
    child = os.fork()
    if child:
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"{path} could not be written")
        return
    from controldag.files import read_json, write_json
    from controldag.run_record import circumstances

    now = circumstances()
    kept = (read_json(path)["figures"] if path.exists() else {}) | {module: {**found, "commit": now["commit"]}}
    settings = {"seconds of one test": SECONDS, "tests left out": "slow, realdata"}
    write_json(path, {"figures": {each: kept[each] for each in TESTS if each in kept}, "settings": settings, **now})
    os._exit(0)


def main() -> int:
    """Measures and writes; ends with 1 where a survivor is not explained."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", choices=[*TESTS, []], help="modules below src/controldag; without, all")
    parser.add_argument("--out", type=Path, required=True, help="a JSON file; modules that are not named keep theirs")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes at a time")
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # loading them takes longer than most tests
    for library in LIBRARIES:
        importlib.import_module(library)
    unexplained = 0
    for module, found in _measured(given.modules or list(TESTS), given.workers):
        _keep(given.out, module, found)
        unexplained += sum(not each["why"] for each in found["survivors"])
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
