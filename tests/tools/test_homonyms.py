"""One name, one thing: words that once meant several things in this repository mean one each."""

from __future__ import annotations

import pytest

from tools.homonyms import classes

FOUND = classes()


@pytest.mark.parametrize("name", ["Hypothesis", "WordList", "Request", "Prepared", "Source", "Row", "Job", "Cell"])
def test_a_name_is_that_of_one_class(name: str) -> None:
    assert len(FOUND[name]) == 1
