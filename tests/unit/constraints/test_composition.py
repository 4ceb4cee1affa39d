"""Constraints composed as nobody should: long chains, deep nests, doubled sizes, None; an error, never a crash."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from controldag import _core
from controldag.constraints import Constraint, all_of, conjuncts, contains, contains_tokens
from controldag.constraints.check import satisfies
from controldag.constraints.token_level import TokenDictionary
from controldag.errors import InvalidInput, LatticeTooLarge
from controldag.lattice import make_lattice
from controldag.search import ConstrainedLanguage, Limits, NgramWeights, SearchItem, best_strings, search_batch

LATTICE = make_lattice([[], [(0, 1.0)], []], [[(1, 0.5)], [(2, 0.5)], []], [b"a"])
NOTHING: Any = None


def doubled(times: int, operation: Callable[[Constraint, Constraint], Constraint]) -> Constraint:
    made = contains("a")
    for _ in range(times):
        made = operation(made, made)
    return made


@pytest.mark.parametrize("operation", [operator.and_, operator.or_])
def test_a_chain_of_thousands_is_one_flat_node(operation: Callable[[Constraint, Constraint], Constraint]) -> None:
    chain = functools.reduce(operation, [contains("a")] * 3000)
    assert satisfies(chain, "a")
    assert not satisfies(chain, "b")
    assert len(conjuncts(chain)) == (3000 if operation is operator.and_ else 1)
    assert len(chain.label) < 2000
    assert "3000 in all" in chain.label
    with pytest.raises(LatticeTooLarge, match="number of constraints in one search"):
        best_strings(LATTICE, chain)


@pytest.mark.parametrize("operation", [operator.and_, operator.or_])
def test_doubling_ends_in_an_error(operation: Callable[[Constraint, Constraint], Constraint]) -> None:
    assert satisfies(doubled(10, operation), "a")
    with pytest.raises(InvalidInput, match="`constraint` must have at most 65536 leaves"):
        doubled(25, operation)


def test_deep_nests_are_refused() -> None:
    made = contains("a")
    for _ in range(100):
        made = ~made
    assert best_strings(LATTICE, made)[0].text == "a"
    with pytest.raises(InvalidInput, match="at most 100 deep"):
        _ = ~made


def test_grouping_does_not_matter() -> None:
    a, b, c = contains("a"), contains("b"), contains("c")
    assert ((a & b) & c).label == (a & (b & c)).label == all_of(a, b, c).label
    assert conjuncts((a & b) & c) == (a, b, c)
    assert ((a & b) | c).label == "((contains('a') & contains('b')) | contains('c'))"


@pytest.mark.parametrize(
    "call",
    [
        lambda: Constraint(NOTHING),
        lambda: all_of(NOTHING, contains("a")),
        lambda: all_of(NOTHING),
        lambda: contains("a") & NOTHING,
        lambda: contains("a") | NOTHING,
        lambda: best_strings(LATTICE, "a"),  # type: ignore[arg-type]
        lambda: ConstrainedLanguage(LATTICE, 1),  # type: ignore[arg-type]
        lambda: search_batch([SearchItem(LATTICE, 1)]),  # type: ignore[arg-type]
        lambda: _core.all_of([NOTHING]),
        lambda: _core.one_of([NOTHING, NOTHING]),
        lambda: _core.search_batch([NOTHING], Limits().core(), 1),
        lambda: _core.search_exact(LATTICE.core, [NOTHING], np.empty(0), Limits().core()),
        lambda: _core.search_n_best(LATTICE.core, [NOTHING], np.empty(0), 2, Limits().core()),
        lambda: _core.Language(LATTICE.core, [NOTHING], np.empty(0), Limits().core(), False),
        lambda: _core.search_dfs_viterbi(LATTICE.core, [NOTHING], np.empty(0), 0.5, 2, 3, Limits().core()),
        lambda: contains_tokens(range(100_000)),
        lambda: TokenDictionary([range(100_000)]),
        lambda: NgramWeights.gains({tuple(range(100)): 1.0}),
    ],
)
def test_what_is_no_constraint_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.negation(NOTHING),
        lambda: _core.soft(NOTHING, 1.0),
        lambda: _core.conjuncts(NOTHING),
        lambda: _core.search_exact(NOTHING, [], np.empty(0), Limits().core()),
        lambda: _core.search_n_best(NOTHING, [], np.empty(0), 2, Limits().core()),
        lambda: _core.Language(NOTHING, [], np.empty(0), Limits().core(), False),
        lambda: _core.BatchItem(NOTHING, [], np.empty(0), 1),
        lambda: _core.search_greedy(NOTHING),
        lambda: _core.search_viterbi(NOTHING, np.empty(0), Limits().core()),
        lambda: _core.vocabulary(NOTHING, [], True, [], True, ""),
        lambda: _core.token_vocabulary(NOTHING, [], ""),
        lambda: _core.alias_weights(NOTHING, []),
    ],
)
def test_the_core_takes_no_none(call: Callable[[], object]) -> None:
    with pytest.raises((TypeError, InvalidInput)):
        call()


def test_a_batch_keeps_an_error_of_one_item_to_itself() -> None:
    """The engine's own items may hold a null: the others are searched all the same."""
    none = _core.BatchItem(LATTICE.core, [NOTHING], np.empty(0), 1)
    good = _core.BatchItem(LATTICE.core, [], np.empty(0), 1)
    first, second = _core.search_batch([none, good], Limits().core(), 2)
    assert isinstance(first, InvalidInput)
    assert len(second) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("states", [(1 << 18) + 1, (1 << 32) - 1])
def test_an_automaton_of_too_many_states_is_refused(states: int) -> None:
    with pytest.raises(LatticeTooLarge, match="number of automaton states"):
        _core.nfa(states, 0, 0, False, [], [], "large")
