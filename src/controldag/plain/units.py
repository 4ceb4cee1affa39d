"""Units that end the name of a slot: `top_speed_knots`, `deposit_eur`, `fuel_capacity_l`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controldag.plain.english import singular
from controldag.plain.irregular import UNITS
from controldag.plain.lexicon import word_set

CURRENCIES = frozenset(("eur", "usd", "gbp", "chf", "euros", "dollars"))
# What ends a name as a noun of its own too: `frequent_flyer_miles`, `check_in`, `open_hours`. Behind a measure it is
# a unit.
_UNSURE = word_set(
    "l g m in w v c f ha litres liters metres meters miles kilometres kilometers grams kilograms feet inches acres "
    "hectares euros dollars watts calories gallons knots days hours minutes seconds weeks months years nights "
    "celsius fahrenheit"
)
_MEASURED = word_set(
    "length width height depth weight mass distance size area speed range capacity volume temperature temp duration "
    "time period term stay age delay wait price cost fee rate deposit power memory storage diameter radius altitude "
    "elevation draft draught beam load payload consumption mileage amount total rent salary income budget fare charge "
    "balance refund limit radius thickness voltage wattage warranty notice trial validity in contract"
)
# Units that are words of phrases: `loan period days`.
SPANS = word_set("days hours minutes seconds weeks months years nights")
_TEMPERATURES = {"c": "degrees Celsius", "f": "degrees Fahrenheit"}


def unit_of_name(words: Sequence[str]) -> str:
    """The unit that the last word of a name is, as it is said behind a number; "" where it is none."""
    if len(words) < 2:
        return ""
    last, before = words[-1].lower(), words[-2].lower()
    if last in _TEMPERATURES:
        return _TEMPERATURES[last] if before in ("temperature", "temp") else ""
    if last in _UNSURE and before not in _MEASURED:
        return ""
    if last == "in" and before not in ("length", "width", "height", "depth", "size", "diameter", "thickness"):
        return ""
    if last in SPANS:
        return last
    return UNITS.get(last, "").replace("_", " ")


def says_unit(text: str, unit: str) -> bool:
    """Whether a phrase names the unit, in the singular or the plural."""
    return any(re.search(rf"\b{re.escape(each)}\b", text) for each in (unit, singular(unit)))


def with_unit(value: str, unit: str) -> str:
    """`22 knots`, `1 mile per hour`, `1 US dollar`, `1 square foot`."""
    if value != "1":
        return f"{value} {unit}"
    head, link, rest = re.split(r"( per | of | Celsius| Fahrenheit|$)", unit, maxsplit=1)
    return f"{value} {singular(head)}{link}{rest}"
