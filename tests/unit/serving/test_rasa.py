"""Rasa's nlg endpoint, with requests as Rasa's documentation and its client write them; and the pages of the API."""

from __future__ import annotations

from typing import Any

import pytest

from controldag.data.records import Act
from controldag.data.schema import Service, Slot
from controldag.errors import InvalidInput
from controldag.serving.rasa import acts_of
from tests.unit.serving.conftest import Served

TABLE = Service(
    "Tables_1",
    slots={name: Slot(name) for name in ("city", "restaurant_name", "time", "party_size")},
)
# https://rasa.com/docs/reference/integrations/nlg: all that Rasa sends beside what is read.
TRACKER = {
    "sender_id": "user_0",
    "latest_message": {
        "intent": {"id": 3014457480322877053, "name": "greet", "confidence": 0.9999994039535522},
        "entities": [],
        "text": "Hello",
        "message_id": "94838d6f49ff4366b254b6f6d23a90cf",
        "metadata": {},
        "intent_ranking": [{"name": "greet", "confidence": 0.9999994039535522}],
    },
    "latest_event_time": 1599476297.694504,
    "followup_action": None,
    "paused": False,
    "events": [{"event": "action", "timestamp": 1599476297.68784, "name": "action_session_start", "policy": None}],
    "latest_input_channel": "rest",
    "active_loop": {},
    "latest_action_name": "action_listen",
}


def asked(response: str, arguments: dict[str, Any] | None = None, **slots: Any) -> dict[str, Any]:
    tracker = {**TRACKER, "slots": {"requested_slot": None, **slots}}
    channel = {"name": "collector"}
    return {"response": response, "id": "7e1", "arguments": arguments or {}, "tracker": tracker, "channel": channel}


@pytest.mark.parametrize(
    ("response", "slots", "acts"),
    [
        ("utter_ask_city", {}, [Act("REQUEST", "city")]),
        ("utter_ask_restaurant_form_party_size", {}, [Act("REQUEST", "party_size")]),
        ("utter_ask_restaurant_name", {}, [Act("REQUEST", "restaurant_name")]),
        ("utter_offer", {"city": "Oban", "time": None}, [Act("OFFER", "city", ("Oban",))]),
        ("utter_inform_time", {"city": "Oban", "time": "6 pm"}, [Act("INFORM", "time", ("6 pm",))]),
        ("utter_confirm", {"party_size": 3.0, "x": "y"}, [Act("CONFIRM", "party_size", ("3",))]),
        ("utter_inform_city", {"city": ["Oban", "Mull"]}, [Act("INFORM", "city", ("Oban", "Mull"))]),
        ("utter_goodbye", {}, [Act("GOODBYE")]),
        ("utter_anything_else", {}, [Act("REQ_MORE")]),
    ],
)
def test_a_response_names_acts(response: str, slots: dict[str, Any], acts: list[Act]) -> None:
    assert acts_of(response, slots, TABLE) == acts


@pytest.mark.parametrize(
    ("response", "slots", "message"),
    [
        ("utter_default", {}, "name an act"),
        ("utter_ask_town", {}, "slot of Tables_1"),
        ("utter_inform_time", {}, "Set the slot"),
        ("utter_offer", {"x": 1}, "Set the slot"),
        ("utter_inform_city", {"city": {"a": 1}}, "be a text"),
    ],
)
def test_what_names_none_is_told(response: str, slots: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        acts_of(response, slots, TABLE)


def test_rasa_is_answered_in_its_own_form(served: Served) -> None:
    slots = {"restaurant_name": "71 Saint Peter", "city": "San Jose"}
    answer = served.client.post("/v1/rasa/Restaurants_1", json=asked("utter_offer", **slots))
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert "71 Saint Peter" in told["text"] and "San Jose" in told["text"]
    assert {**told, "text": ""} == {"text": "", "buttons": [], "image": None, "elements": [], "attachments": []}
    acts = {"acts": ["INFORM(phone_number=408-971-8523)"]}
    told = served.client.post("/v1/rasa/Restaurants_1", json=asked("utter_whatever", acts)).json()
    assert "408-971-8523" in told["text"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("Restaurants_9", asked("utter_goodbye"), 404),
        ("Restaurants_1?model=none", asked("utter_goodbye"), 404),
        ("Restaurants_1", asked("utter_default"), 422),
        ("Restaurants_1", asked("utter_offer", {"acts": "OFFER(city"}), 422),
        ("Restaurants_1", asked("utter_offer", {"acts": ["OFFER(city"]}), 422),
        ("Restaurants_1", {"tracker": {}}, 422),
    ],
)
def test_what_cannot_be_said_is_told(served: Served, path: str, body: dict[str, Any], status: int) -> None:
    answer = served.client.post(f"/v1/rasa/{path}", json=body)
    assert answer.status_code == status and answer.json()["error"]["message"]


def test_swagger_shows_the_api_with_files_of_our_own(served: Served) -> None:
    page = served.client.get("/docs")
    assert page.status_code == 200 and "http" not in page.text
    assert "script-src 'self';" in page.headers["content-security-policy"]
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "start.js"):
        assert f"/docs/{name}" in page.text and served.client.get(f"/docs/{name}").status_code == 200
    assert served.client.get("/docs/main.py").status_code == 404


def test_figures_tell_routes_apart(served: Served) -> None:
    served.client.get("/v1/models")
    served.client.post("/v1/rasa/Restaurants_1", json=asked("utter_goodbye"))
    figures = served.client.get("/metrics").text
    for route in ("/v1/models", "/v1/rasa/{name}"):
        assert f'controldag_requests_total{{route="{route}",status="200"}}' in figures
        assert f'controldag_request_seconds_count{{route="{route}"}}' in figures
