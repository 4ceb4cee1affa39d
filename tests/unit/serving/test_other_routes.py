"""Inspection, models, health, the token, and what answers never tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from controldag.data import samples
from controldag.data.schema import Schema
from controldag.pipeline import ControlDag
from controldag.serving.samples import examples_of
from tests.unit.serving.conftest import Served
from tests.unit.serving.test_generate_route import DINNER

FLIGHT = {
    "service": "Flights_1",
    "acts": ["OFFER(airlines=Alaska Airlines)", "OFFER(outbound_departure_time=5:05 am)", "OFFER(price=$317)"],
}


def test_an_inspection_tells_graph_path_and_states(served: Served) -> None:
    answer = served.client.post("/v1/inspect", json={"item": {**FLIGHT, "n_best": 2}, "picture": True})
    assert answer.status_code == 200, answer.text
    laid = answer.json()
    chosen = laid["graph"]["routes"][0]
    assert chosen["kind"] == "chosen"
    path = [0, *(step["vertex"] for step in chosen["steps"]), chosen["end"]]
    assert all(before < after for before, after in pairwise(path))
    known = {(edge["source"], edge["target"]) for edge in laid["graph"]["edges"]}
    assert set(pairwise(path)) <= known
    assert "".join(step["text"].removeprefix("‑") for step in chosen["steps"]).replace(" ", "")
    assert all(strip["states"][-1] != "open" for strip in laid["graph"]["strips"])
    assert laid["svg"].startswith("<svg")
    assert "$317" in laid["result"]["text"]
    assert laid["greedy"]["text"]
    assert laid["input"]


def test_a_body_that_is_not_marked_as_json_is_told_what_is_missing(served: Served) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}  # what curl sends of itself
    for headers in (form, {}):
        answer = served.client.post("/v1/generate", content=json.dumps({"items": [DINNER]}).encode(), headers=headers)
        assert answer.status_code == 415
        assert "Content-Type: application/json" in answer.json()["error"]["remedy"]


def test_greedy_is_judged_by_the_users_demands_and_by_the_verifier(served: Served) -> None:
    item = {**FLIGHT, "must_not": ["Alaska is"], "length": "=30"}
    laid = served.client.post("/v1/inspect", json={"item": item}).json()
    greedy = laid["greedy"]
    labels = {each["label"]: each["satisfied"] for each in greedy["constraints"]}
    assert labels["length(=30)"] is False and "~contains('Alaska is')" in labels
    assert greedy["verified"] in (True, False) and len(greedy["acts"]) == 3
    kept = {each["label"]: each["satisfied"] for each in laid["result"]["constraints"]}
    assert kept["length(=30)"] is True and laid["result"]["length"] == 30


def test_others_are_judged_beside_the_text_and_what_the_verifier_refused_is_among_them(served: Served) -> None:
    titles = ["OFFER(title=The Lighthouse Keeper's Cat)", "OFFER(title=Under Gallus)", "OFFER(title=Vex)"]
    film = {"service": "Media_1", "acts": titles}
    laid = served.client.post("/v1/inspect", json={"item": film, "compare": ["viterbi", "cbs-dag"]}).json()
    assert laid["result"]["origin"] == "plain" and laid["result"]["verified"]
    refused, *others = laid["others"]
    assert refused["decoder"] == "control-dag" and refused["verified"] is False
    assert [each["decoder"] for each in others] == ["viterbi", "cbs-dag"]
    assert all(len(each["acts"]) == 3 for each in laid["others"])
    heavy = served.client.post("/v1/inspect", json={"item": film, "compare": ["control-dag"]})
    assert heavy.status_code == 422


def test_a_wish_tells_whether_it_is_granted_and_demands_are_told_in_words(served: Served) -> None:
    item = {**FLIGHT, "prefer": ["There", "zeppelin"], "length": "5-30 words"}
    laid = served.client.post("/v1/inspect", json={"item": item}).json()
    told = {each["words"]: (each["satisfied"], each["granted"]) for each in laid["result"]["constraints"]}
    assert told["say “There”, if it can be"] == (True, True)
    assert told["say “zeppelin”, if it can be"] == (True, False)
    assert told["have 5 to 30 words"] == (True, None)
    assert {strip["label"] for strip in laid["graph"]["strips"]} <= set(told)


def test_a_graph_is_drawn_in_as_many_columns_as_fit(served: Served) -> None:
    def width(columns: int) -> float:
        asked = {"item": FLIGHT, "picture": True, "columns": columns}
        drawn = served.client.post("/v1/inspect", json=asked).json()["svg"]
        return float(re.search(r'viewBox="0 0 (\d+)', drawn)[1])  # type: ignore[index]

    assert width(2) < width(6) < width(12)


def test_what_a_service_can_say_is_listed(served: Served) -> None:
    (card,) = served.client.get("/v1/models").json()["models"]
    assert "CONFIRM" in card["acts"]
    told = served.client.get("/v1/models/sgd-mini/services/Restaurants_1").json()
    assert told["learnt"] and "OFFER" in told["acts"]
    assert {"city", "restaurant_name"} <= {slot["name"] for slot in told["slots"]}
    assert card["about"]["Restaurants_1"] == told["description"] != ""
    assert served.generate(*told["examples"]).status_code == 200
    for path in ("sgd-mini/services/Restaurant_1", "sgd-maxi/services/Restaurants_1"):
        assert served.client.get(f"/v1/models/{path}").status_code == 404


def test_examples_to_try_are_of_the_services_that_are_served(model: ControlDag) -> None:
    own = model.with_schema(Schema.load(samples.SCHEMA))
    items = examples_of(own)
    assert len(items) > 10 and {item["service"] for item in items} <= set(own.knowledge.schema.services)  # type: ignore[union-attr]
    assert examples_of(model)[0]["service"] in model.schema.services  # type: ignore[union-attr]


def test_an_inspection_without_a_picture_has_none(served: Served) -> None:
    assert served.client.post("/v1/inspect", json={"item": DINNER}).json()["svg"] is None


def test_an_inspection_that_fails_names_the_conflict(served: Served) -> None:
    answer = served.client.post("/v1/inspect", json={"item": {**DINNER, "must": ["x"], "must_not": ["x"]}})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["kind"] == "Infeasible"
    assert error["conflict_in_words"] == ["say “x”", "not say “x”"]


def test_models_and_their_limits_are_told(served: Served) -> None:
    told = served.client.get("/v1/models").json()
    (card,) = told["models"]
    assert (card["name"], card["task"], card["decoder"]) == ("sgd-mini", "acts", "control-dag")
    assert "Restaurants_1" in card["services"]
    assert card["examples"]
    assert told["limits"]["items"] == 64


def test_health_and_readiness(served: Served) -> None:
    assert served.client.get("/healthz").json() == {"status": "ok"}
    assert served.client.get("/readyz").json() == {"status": "ready"}


def test_a_stopping_service_is_not_ready_and_takes_nothing(serving: Callable[..., Served]) -> None:
    each = serving()
    each.service.close()
    assert each.client.get("/readyz").status_code == 503
    answer = each.generate(DINNER)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    # Refused before anything is read: under a flood that is most of the work.
    assert each.client.post("/v1/generate", content=b"no JSON").status_code == 503
    refused = [json.loads(line) for line in each.log.getvalue().splitlines() if '"status": 503' in line]
    assert [line["route"] for line in refused] == ["/readyz", "/v1/generate", "/v1/generate"]


@pytest.mark.parametrize("shown", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic se-cret"}])
def test_a_wrong_token_is_refused_before_anything_else(serving: Callable[..., Served], shown: dict[str, str]) -> None:
    each = serving(token="se-cret")
    for path in ("/v1/models", "/metrics"):
        answer = each.client.get(path, headers=shown)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert each.client.post("/v1/generate", content=b"x", headers=shown).status_code == 401
    assert each.client.get("/healthz", headers=shown).status_code == 200


def test_the_right_token_opens(serving: Callable[..., Served]) -> None:
    each = serving(token="se-cret")
    assert each.client.get("/v1/models", headers={"Authorization": "Bearer se-cret"}).status_code == 200
    document = each.client.get("/openapi.json").json()
    assert document["paths"]["/v1/generate"]["post"]["security"] == [{"bearer": []}]


def test_a_bug_of_ours_tells_nothing(serving: Callable[..., Served], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: ControlDag, *_: object) -> None:
        raise RuntimeError("/secret/path Quillon")

    each = serving(deadline_ms=120_000)
    with monkeypatch.context() as patch:
        patch.setattr(ControlDag, "predict", fail)
        answer = each.generate(DINNER)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "RuntimeError" not in answer.text
    assert '"kind": "RuntimeError"' in each.log.getvalue()
    assert "secret" not in each.log.getvalue()
    assert each.generate(DINNER).status_code == 200


def test_every_answer_has_an_id_and_forbids_sniffing(served: Served) -> None:
    for path in ("/healthz", "/nothing"):
        answer = served.client.get(path, headers={"X-Request-ID": "not\tgood" * 20})
        assert len(answer.headers["x-request-id"]) == 32
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src" in answer.headers["content-security-policy"]
