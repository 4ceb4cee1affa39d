"""Searches that weigh lengths, on the ways that they take where a first search takes long."""

from __future__ import annotations

import pytest

from controldag.search.exact import Limits, best_strings
from tests.reference.cases import random_case
from tests.reference.compare import n_best_faults

# From the first prefix on all states within an upper objective are laid out, which is raised round by round.
AT_ONCE = Limits(sharpen_after=0)


def test_a_list_holds_every_text_where_there_are_fewer_than_asked_for() -> None:
    case = random_case(500133)
    texts = [each.text for each in best_strings(case.lattice, length=case.length, n_best=5, limits=AT_ONCE)]
    assert texts == ["1k", "1-", ".k", ".-"]


@pytest.mark.parametrize("n", [2, 7, 40])
def test_lists_agree_with_enumeration_however_long(n: int) -> None:
    weighed = [case for case in map(random_case, range(90_001, 90_400, 2)) if case.length is not None]
    assert len(weighed) > 50
    for case in weighed:
        assert not n_best_faults(case, n), case
