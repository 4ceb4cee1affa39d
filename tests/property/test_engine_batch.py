"""Batches give what single searches give, whatever the number of threads."""

from __future__ import annotations

import pytest

from controldag.constraints import contains
from controldag.errors import ControlDagError, Infeasible
from controldag.search.batch import SearchItem, search_batch
from controldag.search.exact import best_strings
from controldag.search.result import Hypothesis
from tests.reference.cases import random_case


def batch_of(seeds: range) -> list[SearchItem]:
    cases = [random_case(seed) for seed in seeds]
    return [SearchItem(case.lattice, case.constraint, case.length, n_best=1 + case.seed % 3) for case in cases]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_equals_single_searches(threads: int) -> None:
    items = batch_of(range(300))
    for item, result in zip(items, search_batch(items, threads=threads), strict=True):
        alone = best_strings(item.lattice, item.constraint, length=item.length, n_best=item.n_best)
        if alone:
            assert result == alone
        else:
            assert isinstance(result, Infeasible)


def shown(results: list[list[Hypothesis] | ControlDagError]) -> list[str]:
    return [str(result) for result in results]


def test_is_the_same_every_time() -> None:
    items = batch_of(range(300, 500))
    first = shown(search_batch(items, threads=1))
    assert all(shown(search_batch(items, threads=threads)) == first for threads in (1, 2, 3, 16))


def test_one_bad_item_does_not_spoil_the_others() -> None:
    good, bad = random_case(1), random_case(2)
    impossible = contains("a phrase that no lattice of ours holds")
    items = [SearchItem(good.lattice), SearchItem(bad.lattice, impossible), SearchItem(good.lattice)]
    first, refused, last = search_batch(items, threads=2)
    assert first == last == best_strings(good.lattice)
    assert isinstance(refused, Infeasible)


def test_an_empty_batch_is_empty() -> None:
    assert search_batch([]) == []
