"""A tiny made-up task: say a few facts about a place. Small enough to be learnt on a CPU in a minute."""

from __future__ import annotations

import random

from controldag.data.records import Act, Example
from controldag.data.schema import Schema, Service, Slot

_PLACES = ("Alder Inn", "Birch Hall", "Cedar Lodge", "Elm House", "Fir Cabin", "Maple Court", "Oak Barn", "Pine Hut")
_CITIES = ("Avon", "Brent", "Colne", "Dart", "Esk", "Frome", "Goyt", "Hodder")
_FOODS = ("bread", "cake", "fish", "pie", "rice", "soup")

SCHEMA = Schema(
    {
        "Places_1": Service(
            "Places_1",
            "places to go",
            {
                "name": Slot("name", "name of the place"),
                "city": Slot("city", "city it is in"),
                "food": Slot("food", "what it serves"),
            },
        )
    }
)


def toy_examples(count: int, seed: int) -> list[Example]:
    """`count` made-up turns: an offer with one to three facts, or a request."""
    chance = random.Random(seed)
    return [_offer(f"toy/{seed}_{i}", chance) for i in range(count)]


def _offer(identifier: str, chance: random.Random) -> Example:
    place, city, food = chance.choice(_PLACES), chance.choice(_CITIES), chance.choice(_FOODS)
    kind = chance.randrange(4)
    name, where, what = Act("OFFER", "name", (place,)), Act("OFFER", "city", (city,)), Act("INFORM", "food", (food,))
    acts: tuple[Act, ...]
    if kind == 0:
        acts, text = (name,), f"How about {place}?"
    elif kind == 1:
        acts, text = (name, where), f"There is {place} in {city}."
    elif kind == 2:
        acts, text = (name, where, what), f"{place} in {city} serves {food}."
    else:
        acts, text = (what, Act("REQUEST", "city")), f"They serve {food}. In which city?"
    return Example(identifier, acts=acts, service="Places_1", references=(text,))
