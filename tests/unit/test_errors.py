"""Errors cross process borders: each comes back as it was."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from controldag.errors import (
    ControlDagError,
    DataError,
    Infeasible,
    InvalidInput,
    LatticeTooLarge,
    MissingDependency,
    SearchTooLong,
)
from controldag.search import EngineFault

ERRORS: list[ControlDagError] = [
    ControlDagError("No.", remedy="Yes."),
    InvalidInput.of("count", "be at least 1", 0, remedy="Give more."),
    DataError("is odd.", path="a/b.json", line=3, field="name", remedy="Mend it."),
    MissingDependency.of("torch", "model", "training"),
    LatticeTooLarge("The number of states", 12, 10),
    SearchTooLong(2.5),
    Infeasible(("a", "b"), minimised=False, remedy="Drop one."),
    EngineFault("It went wrong.", remedy="Report it."),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling_and_copying(error: ControlDagError) -> None:
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(back) is type(error)
        assert (str(back), back.args, vars(back)) == (str(error), error.args, vars(error))


def test_every_error_of_the_package_is_listed_or_needs_nothing_special() -> None:
    """A class that does not go through `ControlDagError.__reduce__` would have to be tested by itself."""
    todo, kinds = [ControlDagError], set()
    while todo:
        kind = todo.pop()
        kinds.add(kind)
        todo += kind.__subclasses__()
    assert all(kind.__reduce__ is ControlDagError.__reduce__ for kind in kinds)
    assert {type(error) for error in ERRORS} <= kinds


def refuse() -> None:
    raise Infeasible(("a",), minimised=True)


def test_an_error_does_not_break_a_pool_of_processes() -> None:
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        with pytest.raises(Infeasible) as raised:
            pool.submit(refuse).result()
        assert raised.value.conflict == ("a",)
        assert pool.submit(abs, -1).result() == 1


def test_what_is_missing_can_be_installed_from_any_index(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pip install '.[model]', in the source folder" in str(MissingDependency.of("torch", "model", "Training"))
    monkeypatch.setattr("controldag.extras._is_here", lambda requirement: "numpy" in requirement)
    remedy = MissingDependency.of("torch", "ray", "Ray Serve").remedy
    assert "'ray[data,serve]>=2.60'" in remedy and "'fastapi>=0.115'" in remedy  # of the extra that it builds on, too
    assert "controldag" not in remedy and "numpy" not in remedy
