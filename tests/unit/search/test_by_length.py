"""Searches that weigh lengths, on the ways that they take where a first search takes long."""

from __future__ import annotations

import pytest

from controldag.constraints import Length
from controldag.lattice import make_lattice
from controldag.search.exact import Limits, best_strings
from tests.reference.cases import random_case
from tests.reference.compare import n_best_faults

# From the first prefix on all states within an upper objective are laid out, which is raised round by round.
AT_ONCE = Limits(sharpen_after=0)


def test_a_list_holds_every_text_where_there_are_fewer_than_asked_for() -> None:
    case = random_case(500133)
    texts = [each.text for each in best_strings(case.lattice, length=case.length, n_best=5, limits=AT_ONCE)]
    assert texts == ["1k", "1-", ".k", ".-"]


def test_a_list_that_is_not_full_takes_no_text_of_a_forbidden_length() -> None:
    """Vertex 3 is met after one token and after two, and a text may end there: "ac" is one token short."""
    lattice = make_lattice(
        [[], [(0, 0.0)], [(1, 0.0)], [(2, 0.0)], [(3, 0.0)], []],
        [[(1, 1.0)], [(2, 1.0), (3, 1.0)], [(3, 1.0)], [(4, 2.0), (5, 1.0)], [(5, 1.0)], []],
        [b"a", b"b", b"c", b"d"],
    )
    found = best_strings(lattice, length=Length(exact=4), n_best=3, limits=AT_ONCE)
    assert [(each.text, each.objective) for each in found] == [("abc", 4.0), ("acd", 5.0)]


@pytest.mark.parametrize("n", [2, 7, 40])
def test_lists_agree_with_enumeration_however_long(n: int) -> None:
    weighed = [case for case in map(random_case, range(90_001, 90_400, 2)) if case.length is not None]
    assert len(weighed) > 50
    for case in weighed:
        assert not n_best_faults(case, n), case
