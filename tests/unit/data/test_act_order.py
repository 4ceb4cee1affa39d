"""The usual order of acts: learned from examples, applied where everything is known, kept in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data.act_order import ActOrder
from controldag.data.records import Act, Example
from controldag.errors import DataError

NAME, CITY, MORE = Act("OFFER", "name", ("A",)), Act("OFFER", "city", ("B",)), Act("REQ_MORE")
ORDER = ActOrder.learn(
    [
        Example("1", acts=(NAME, CITY, MORE), service="S"),
        Example("2", acts=(NAME, CITY), service="S"),
        Example("3", acts=(CITY, NAME, MORE), service="S"),
        Example("4", acts=(MORE,), service="S"),
    ]
)


def test_acts_come_in_their_usual_order() -> None:
    assert ORDER.sort(Example("x", acts=(MORE, CITY, NAME), service="S")).acts == (NAME, CITY, MORE)


def test_acts_of_one_slot_keep_their_order() -> None:
    other = Act("OFFER", "city", ("C",))
    assert ORDER.sort(Example("x", acts=(other, CITY, NAME), service="S")).acts == (NAME, other, CITY)


@pytest.mark.parametrize(
    "example",
    [
        Example("x", acts=(CITY, NAME), service="T"),
        Example("x", acts=(CITY, Act("OFFER", "price", ("1",)), NAME), service="S"),
    ],
)
def test_what_is_unknown_stays_as_it_is(example: Example) -> None:
    assert ORDER.sort(example) is example


def test_an_order_comes_back_from_its_file(tmp_path: Path) -> None:
    ORDER.save(tmp_path / "order.json")
    assert ActOrder.load(tmp_path / "order.json") == ORDER
    for content in ('{"format": "something", "places": {}}', "[]", "{", '{"format": "controldag-act-order/1"}'):
        (tmp_path / "order.json").write_text(content)
        with pytest.raises(DataError, match=r"order\.json.*holds no order"):
            ActOrder.load(tmp_path / "order.json")
