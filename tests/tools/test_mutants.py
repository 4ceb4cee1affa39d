"""Faults that are put into modules: each in one place, none in what people alone read; and what was found with them."""

from __future__ import annotations

import ast
import json

import pytest

from tools.mutants import mutants
from tools.mutate import ROOT, TESTS, equivalents

SOURCE = '''
"""Words."""
def allowed(size: int = 3, name: str = "x") -> bool:
    """More words."""
    check_one_each("texts", [], [])
    if size < 2 and not name:
        raise ValueError(f"too small: {size + 1}")
    for a, b in zip([1], [True], strict=True):
        break
    return any(each for each in [a] if each)
'''


def test_each_differs_in_one_place() -> None:
    found = [(each.line, each.was, each.now) for each in mutants(SOURCE)]
    assert [(was, now) for _, was, now in found if len(was) < 40] == [
        ("3", "4"),
        ("'x'", "'XXx'"),
        ("size < 2 and (not name)", "size < 2 or not name"),
        ("size < 2", "size <= 2"),
        ("2", "3"),
        ("not name", "name"),
        ("1", "2"),
        ("True", "False"),
        ("break", "continue"),
        ("any", "all"),
        ("(each for each in [a] if each)", "(each for each in [a])"),
    ]
    for each in mutants(SOURCE):
        assert ast.unparse(each.tree) != ast.unparse(ast.parse(SOURCE))
        compile(each.tree, "mutant", "exec")


RECORD = json.loads((ROOT / "results/mutation.json").read_text("utf-8"))["figures"]


def test_the_check_of_finished_texts_was_tried() -> None:
    assert {module for module in TESTS if module.startswith("constraints/")} <= set(RECORD) <= set(TESTS)


@pytest.mark.parametrize("module", RECORD)
def test_every_fault_was_noticed_or_means_the_same(module: str) -> None:
    found = RECORD[module]
    assert found["killed"] + len(found["survivors"]) == found["mutants"]
    assert [each for each in found["survivors"] if not each["why"]] == []


def test_what_is_explained_is_still_there() -> None:
    for each in equivalents():
        source = (ROOT / "src/controldag" / each["module"]).read_text("utf-8")
        assert each["line"] in source, each
