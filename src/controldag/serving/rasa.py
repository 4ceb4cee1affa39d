"""Rasa's responses as acts: `utter_ask_city` asks for a slot, `utter_offer` offers what the tracker knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controldag.data.records import Act
from controldag.data.schema import Service
from controldag.errors import InvalidInput

_PREFIX = "utter_"
# What people call responses, in the words of acts; the longest that fits counts.
_ACTS = {
    "ask": "REQUEST", "request": "REQUEST", "offer": "OFFER", "inform": "INFORM", "tell": "INFORM",
    "confirm": "CONFIRM", "success": "NOTIFY_SUCCESS", "notify_success": "NOTIFY_SUCCESS", "failure": "NOTIFY_FAILURE",
    "notify_failure": "NOTIFY_FAILURE", "req_more": "REQ_MORE", "anything_else": "REQ_MORE", "greet": "GREETING",
    "greeting": "GREETING", "hello": "GREETING", "welcome": "WELCOME", "thank_you": "THANK_YOU", "thanks": "THANK_YOU",
    "goodbye": "GOODBYE", "bye": "GOODBYE", "affirm": "AFFIRM", "negate": "NEGATE",
}  # fmt: skip
_OF_VALUES = frozenset({"OFFER", "INFORM", "CONFIRM"})
_REMEDY = (
    "Name it utter_ask_SLOT, utter_offer, utter_inform_SLOT, utter_confirm, utter_success, utter_goodbye, …, or pass "
    "its acts: `dispatcher.utter_message(response=..., acts=['OFFER(city=San Jose)'])`."
)


def acts_of(response: str, slots: Mapping[str, Any], service: Service) -> list[Act]:
    """The acts of a response of that name; `slots`: values by name, of which those of the service count."""
    name = response.removeprefix(_PREFIX).partition("/")[0]
    known = [each for each in _ACTS if name == each or name.startswith(f"{each}_")]
    if not known:
        raise InvalidInput.of("response", "name an act", response, remedy=_REMEDY)
    words = max(known, key=len)
    act, rest = _ACTS[words], name.removeprefix(words).removeprefix("_")
    if act == "REQUEST":
        return [Act(act, _slot(rest, service))]
    if act not in _OF_VALUES:
        return [Act(act)]
    chosen = [_slot(rest, service)] if rest else [slot for slot in service.slots if _values(slots.get(slot))]
    found = [Act(act, slot, _values(slots.get(slot))) for slot in chosen]
    if not found or not all(each.values for each in found):
        raise InvalidInput.of("slots", "hold what is to be said", sorted(slots), remedy="Set the slot first.")
    return found


def _slot(name: str, service: Service) -> str:
    """The slot of that name; before it may stand the name of a form: `utter_ask_FORM_SLOT`."""
    fitting = [slot for slot in service.slots if name == slot or name.endswith(f"_{slot}")]
    return max(fitting, key=len) if fitting else service.slot(name).name


def _values(value: Any) -> tuple[str, ...]:
    return tuple(_texts(value))


def _texts(value: Any) -> Iterator[str]:
    """A slot's value as acts hold it: lists give several, nothing none, and 3.0 is said as 3."""
    match value:
        case None | "":
            return
        case str():
            yield value
        case bool():
            yield str(value)
        case float() if value.is_integer():
            yield str(int(value))
        case int() | float():
            yield str(value)
        case list():
            for each in value:
                yield from _texts(each)
        case _:
            raise InvalidInput.of("slot", "be a text, a number, yes or no, or a list of these", value)
