"""Slot error rate: the published rule, with both of its denominators."""

from __future__ import annotations

import pytest

from controldag.data import samples
from controldag.data.records import Act, Example
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.metrics.slot_error import SlotErrorRate, missing_values, slot_error_measures, slot_error_rate

SCHEMA = Schema.load(samples.SCHEMA)


def example(*acts: Act) -> Example:
    return Example("x", acts, service="Ferries_1")


@pytest.mark.parametrize(
    ("act", "response", "missing"),
    [
        (Act("INFORM", "fare", ("£25",)), "it costs £25", ()),
        (Act("INFORM", "to_port", ("Port ELLEN",)), "to PORT Ellen", ()),
        (Act("INFORM", "fare", ("£2",)), "it costs £25", ()),  # a substring is enough, by the rule
        (Act("REQUEST", "to_port", ("Oban", "Mull")), "Oban?", ("Mull",)),
        (Act("INFORM", "takes_cars", ("True",)), "no", ()),
        (Act("INFORM_COUNT", "count", ("3",)), "some", ()),
        (Act("OFFER_INTENT", "intent", ("BookSailing",)), "book?", ()),
    ],
)
def test_missing_values(act: Act, response: str, missing: tuple[str, ...]) -> None:
    assert missing_values(example(act), response, SCHEMA) == missing


def test_both_denominators() -> None:
    fare = example(Act("INFORM", "fare", ("£5",)), Act("INFORM", "to_port", ("Oban",)))
    other = example(Act("REQ_MORE"))
    both = example(Act("INFORM", "takes_cars", ("True",)), Act("INFORM", "fare", ("£5",)))
    assert slot_error_rate([both], ["£5"], SCHEMA).applicable == 1
    assert slot_error_measures([both, other], ["no", "no"], SCHEMA)[1].value() == 100.0
    rate = slot_error_rate([fare, fare, other, example(Act("REQUEST", "fare"))], ["no", "£5 Oban", "", ""], SCHEMA)
    assert rate == SlotErrorRate(errors=1, responses=4, applicable=3)
    assert (rate.rate, rate.applicable_rate) == (25.0, pytest.approx(100 / 3))
    assert slot_error_rate([other], [""], SCHEMA).applicable_rate == 0.0


def test_wrong_line_count() -> None:
    for examples, responses in (([example(Act("REQ_MORE"))], []), ([], [])):
        with pytest.raises(InvalidInput, match="responses"):
            slot_error_rate(examples, responses, SCHEMA)
