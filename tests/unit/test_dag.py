"""Dag: spelling phrases, and refusing what is not a proper prediction."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from controldag.dag import Dag
from controldag.errors import InvalidInput
from controldag.lattice import prune
from controldag.surfaces import Surfaces
from tests.reference.dags import PIECES, proper_dag


@pytest.mark.parametrize(
    ("phrase", "tokens"),
    [("a", [4]), ("ab", [6]), ("abc", [6, 7]), ("b", [1, 3]), ("ca", [1, 7, 2]), ("a a", [4, 4]), ("aab", [4, 5])],
)
def test_spells_with_the_fewest_tokens(phrase: str, tokens: list[int]) -> None:
    assert Surfaces(PIECES).spell(phrase) == tokens


def test_a_phrase_that_cannot_be_spelled_is_named() -> None:
    with pytest.raises(InvalidInput, match=re.escape("`phrase` must be spelled by the tokens, but is 'xyz'")):
        Surfaces(PIECES).spell("xyz")


def set_at(name: str, where: tuple[int, int], value: float) -> Callable[[Dag], None]:
    def spoil(dag: Dag) -> None:
        getattr(dag, name)[where] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (set_at("emissions", (2, 3), float("nan")), "`emissions` must hold log-probabilities"),
        (set_at("emissions", (2, 3), float("inf")), "`emissions` must hold log-probabilities"),
        (set_at("emissions", (2, 3), 1.0), "`emissions` must hold log-probabilities"),
        (set_at("transitions", (0, 2), float("nan")), "`transitions` must hold log-probabilities"),
        (set_at("transitions", (0, 2), float("inf")), "`transitions` must hold log-probabilities"),
        (set_at("transitions", (3, 1), -1.0), "`transitions` must go forward only, but is 3 -> 1"),
        (set_at("transitions", (2, 2), -1.0), "`transitions` must go forward only, but is 2 -> 2"),
        (set_at("transitions", (3, 1), float("nan")), "`transitions` must"),
        (set_at("transitions", (3, 1), float("inf")), "`transitions` must"),
    ],
)
def test_refuses_scores_that_are_no_log_probabilities(spoil: Callable[[Dag], None], message: str) -> None:
    dag = proper_dag()
    spoil(dag)
    with pytest.raises(InvalidInput, match=re.escape(message)):
        prune(dag)


@pytest.mark.parametrize(("name", "row"), [("emissions", 2), ("transitions", 1)])
@pytest.mark.parametrize("scale", [0.0, 0.5, 3.0])
def test_refuses_rows_that_do_not_sum_to_one(name: str, row: int, scale: float) -> None:
    dag = proper_dag()
    with np.errstate(divide="ignore"):
        getattr(dag, name)[row] += np.log(scale) if scale else -np.inf
    with pytest.raises(InvalidInput, match=rf"`{name}` must (have rows whose probabilities sum to 1|hold log-prob)"):
        prune(dag)


def test_refuses_shapes_that_do_not_fit() -> None:
    good = proper_dag()
    with pytest.raises(InvalidInput, match="`transitions` must be"):
        Dag(good.emissions, good.transitions[:3], good.surfaces).check()
    with pytest.raises(InvalidInput, match="`emissions` must have one column per token"):
        Dag(good.emissions[:, :4], good.transitions, good.surfaces).check()
    with pytest.raises(InvalidInput, match="`emissions` must be"):
        Dag(good.emissions[:1], good.transitions[:1, :1], good.surfaces).check()
    with pytest.raises(InvalidInput, match="`emissions` must be"):
        Dag(good.emissions[0], good.transitions, good.surfaces).check()


@pytest.mark.parametrize("bad", [-1, len(PIECES), 1 << 40])
def test_refuses_token_ids_out_of_range(bad: int) -> None:
    good = proper_dag()
    ids = np.tile(np.arange(1, 4), (5, 1))
    ids[2, 1] = bad
    dag = Dag(good.emissions[:, 1:4].copy(), good.transitions, good.surfaces, token_ids=ids)
    with pytest.raises(InvalidInput, match=rf"`token_ids` must be between 0 and {len(PIECES) - 1}, but is {bad}"):
        prune(dag)


def test_phrases_need_score_when_only_the_best_tokens_are_there() -> None:
    good = proper_dag()
    ids = np.tile(np.arange(1, 4), (5, 1))
    few = good.emissions[:, 1:4].copy()
    with pytest.raises(InvalidInput, match="score"):
        prune(Dag(few, good.transitions, good.surfaces, token_ids=ids), keep=["ab"])
    dag = Dag(few, good.transitions, good.surfaces, ids, score=lambda wanted: good.emissions[:, list(wanted)])
    kept = prune(dag, 1, 1, keep=["ab"]).emissions()
    assert all(dict(here)[6] == pytest.approx(-float(good.emissions[v, 6])) for v, here in enumerate(kept) if here)


def test_names_the_control_token_among_the_tokens_to_keep() -> None:
    with pytest.raises(InvalidInput, match="`keep` must hold ids of tokens that have a surface, but is 0"):
        prune(proper_dag(), keep=[[0]])
    with pytest.raises(InvalidInput, match="`keep` must hold ids of tokens that have a surface, but is 99"):
        prune(proper_dag(), keep=[[99]])


@pytest.mark.parametrize(("emissions", "transitions"), [(0, 3), (3, 0), (-1, 3)])
def test_refuses_to_keep_nothing(emissions: int, transitions: int) -> None:
    with pytest.raises(InvalidInput, match="must be at least 1, but is"):
        prune(proper_dag(), emissions, transitions)
