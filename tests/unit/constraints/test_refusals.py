"""Constraints and lengths that make no sense: typed errors that name argument, rule and value."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from controldag.constraints import (
    Length,
    TokenDictionary,
    WordList,
    all_of,
    any_of,
    contains,
    contains_tokens,
    in_order,
    vocabulary,
)
from controldag.errors import ControlDagError, InvalidInput, LatticeTooLarge
from controldag.lattice import make_lattice
from controldag.search.exact import best_strings

WORDS = WordList(["a"])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: contains(""), "`phrase` must not be empty, but is ''"),
        (lambda: any_of(), "`phrases` must not be empty"),
        (lambda: any_of("a", ""), "`phrase` must not be empty, but is ''"),
        (lambda: in_order(), "`phrases` must not be empty"),
        (lambda: contains("\ud800"), "`phrase` must be text without lone surrogates"),
        (lambda: contains("x" * 20_000), "`phrase` must have at most 16384 bytes, but is 20000 bytes long"),
        (lambda: any_of(*map(str, range(10_000))), "`phrases` must be at most 256 in one constraint, but is 10000"),
        (lambda: contains("a", at_least=10_000), "`phrases` must be at most 256 in one constraint, but is 10000"),
        (lambda: contains("a", at_least=-1), "`at_least, at_most` must satisfy 0 <= at_least <= at_most"),
        (lambda: contains("a", at_least=3, at_most=2), "`at_least, at_most` must satisfy 0 <= at_least <= at_most"),
        (lambda: contains("a", at_least=0), "`at_least` must be at least 1 unless at_most is given, but is 0"),
        (lambda: contains("a").soft(-1), "`penalty` must be between 0 and 1e9, but is -1"),
        (lambda: contains("a").soft(float("nan")), "`penalty` must be between 0 and 1e9, but is"),
        (lambda: contains("a").soft(3.5e38), "`penalty` must be between 0 and 1e9, but is 3.5e+38"),
        (lambda: ~contains("a").soft(1), "`soft constraint` must stand at the top of a conjunction, not under ~"),
        (lambda: contains("a").soft(1) | contains("b"), "must stand at the top of a conjunction, not under |"),
        (lambda: (contains("b") & contains("a").soft(1)).soft(2), "must stand at the top of a conjunction"),
        (lambda: all_of(), "`constraints` must not be empty"),
        (lambda: contains_tokens(()), "`tokens` must not be empty"),
        (lambda: TokenDictionary([()]), "`words` must have at least one token each"),
        (lambda: TokenDictionary([(-1,)]), "`tokens` must be ids between 0 and"),
        (lambda: WordList("abc"), "`words` must be a collection of words, not one string, but is 'abc'"),
        (lambda: WordList(["San Jose"]), "`words` must hold no blank"),
        (lambda: WordList(["a"], "1"), "`punctuation` must hold whole characters, no blank and no digit"),
        (lambda: WordList(["a"], ". "), "`punctuation` must hold whole characters, no blank and no digit"),
        (lambda: vocabulary(WORDS, entities=[""]), "`entities` must not be empty nor begin or end with a blank"),
        (lambda: vocabulary(WORDS, entities=[" a"]), "`entities` must not be empty nor begin or end with a blank"),
        (lambda: vocabulary(WORDS, numbers=["1 2"]), "`numbers` must not be empty and hold no blank"),
        (lambda: vocabulary(WORDS, numbers="input"), '`numbers` must be "any" or a collection of number strings'),
        (lambda: Length(target=0), "`target` must be at least 1, but is 0"),
        (lambda: Length(target=float("nan")), "`target` must be at least 1, but is nan"),
        (lambda: Length(target=float("inf")), "`target` must be at least 1, but is inf"),
        (lambda: Length(exact=0), "`exact` must be at least 1, but is 0"),
        (lambda: Length(strictness=-1), "`strictness` must be at least 0, but is -1"),
        (lambda: Length(normalisation=float("nan")), "`normalisation` must be at least 0, but is nan"),
        (lambda: Length(minimum=5, maximum=4), "`minimum` must be at most maximum (4), but is 5"),
    ],
)
def test_names_argument_rule_and_value(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(message)):
        build()


def test_ten_thousand_phrases_are_too_many_for_one_search() -> None:
    lattice = make_lattice([[], [(0, 1.0)], []], [[(1, 0.5)], [(2, 0.5)], []], [b"a"])
    wanted = all_of(*(contains(f"p{i}") for i in range(10_000)))
    with pytest.raises(LatticeTooLarge, match=r"The number of constraints in one search passed its limit of 64"):
        best_strings(lattice, wanted)


def test_phrases_that_overlap_in_too_many_ways_are_refused() -> None:
    lattice = make_lattice([[], [(0, 1.0)], []], [[(1, 0.5)], [(2, 0.5)], []], [b"a"])
    wanted = all_of(*(contains(f"a{i}a", own=True) for i in range(40)))
    with pytest.raises(LatticeTooLarge, match="ways to place phrases that overlap"):
        best_strings(lattice, wanted)


def test_every_error_is_a_control_dag_error() -> None:
    assert issubclass(InvalidInput, ControlDagError)
    assert issubclass(LatticeTooLarge, ControlDagError)
