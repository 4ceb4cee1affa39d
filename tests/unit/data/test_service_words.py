"""Words of schemas: services of one kind share many, others few."""

from __future__ import annotations

import pytest

from controldag.data.schema import Intent, Service, Slot
from controldag.data.service_words import kinship, service_words


def _service(name: str, about: str, *slots: Slot) -> Service:
    return Service(name, about, {slot.name: slot for slot in slots}, (Intent("BookFerry", "Book a ferry"),))


def test_endings_and_camel_case_do_not_matter() -> None:
    found = service_words(
        _service("Ferries_1", "Ferries between islands", Slot("ticketPrice", "Prices of the tickets"))
    )
    assert found == {"ferr", "between", "island", "ticket", "pric", "book"}


def test_kin_share_words_and_strangers_do_not() -> None:
    ferries = _service("Ferries_1", "Ferries between islands", Slot("fare", "Price of a ticket"))
    boats = _service("Boats_1", "Ferry tickets", Slot("fares", "The price"))
    bakery = Service("Bakery_1", "Bread and cakes", {"flour": Slot("flour", "Kind of flour")})
    words = [service_words(ferries)]
    assert kinship(boats, words) > 0.6 > 0.1 > kinship(bakery, words)
    assert kinship(boats, []) == kinship(Service("Nothing_1"), words) == 0.0


def test_the_words_of_a_service_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine times for one text: three seconds each on a schema with 100,000 slots."""
    read: list[Service] = []
    monkeypatch.setattr(
        "controldag.data.service_words.service_words", lambda each: read.append(each) or frozenset(("bread",))
    )
    service = Service("Bakery_1", "bread")
    for _ in range(3):
        assert kinship(service, [frozenset(("bread", "cake"))]) == 1.0
    assert read == [service]
