"""POST /v1/generate: items, errors in their places, statuses, limits, deadlines."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from controldag.constraints.check import satisfies
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from controldag.serving.options import ServiceLimits
from controldag.serving.schemas import Said
from tests.unit.serving.conftest import Served

DINNER = {
    "id": "dinner",
    "service": "Restaurants_1",
    "acts": ["OFFER(restaurant_name=Quillon & Daughters)", "OFFER(city=Half Moon Bay)"],
}
WEATHER = {"id": "weather", "service": "Weather_1", "acts": [{"act": "OFFER", "slot": "temperature", "values": ["64"]}]}


def test_items_come_back_in_order_as_the_pipeline_says_them(served: Served, model: ControlDag) -> None:
    answer = served.generate(DINNER, WEATHER, DINNER)
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result["id"] for result in results] == ["dinner", "weather", "dinner"]
    for item, result in zip((DINNER, WEATHER, DINNER), results, strict=True):
        assert result["text"] == model.generate_batch([request_of(dict(item), Request(()))])[0].text  # type: ignore[union-attr]
    assert answer.json()["model"] == "sgd-mini"


def test_all_kinds_of_constraints_hold(served: Served) -> None:
    item = {
        **DINNER,
        "must": ["restaurant"],
        "must_any": [["nice", "good"]],
        "must_not": ["called"],
        "pattern": [r"in Half \w+"],
    }
    answer = served.generate(item)
    assert answer.status_code == 200, answer.text
    (result,) = answer.json()["results"]
    request = request_of(dict(item), Request(()))
    assert satisfies(request.constraint, result["text"])
    assert "Quillon & Daughters" in result["text"]


def test_the_searchs_own_text_can_be_asked_for(served: Served, model: ControlDag) -> None:
    (result,) = served.generate({**DINNER, "trust": "graph"}).json()["results"]
    assert Said.model_validate(result).origin == "graph"
    assert result["text"] == model.generate_batch([request_of({**DINNER, "trust": "graph"}, Request(()))])[0].text  # type: ignore[union-attr]
    assert served.generate({**DINNER, "trust": "blindly"}).status_code == 422


def test_a_verified_text_comes_with_a_verdict_of_each_act(served: Served) -> None:
    (result,) = served.generate({**DINNER, "trust": "verified"}).json()["results"]
    said = Said.model_validate(result)
    assert said.verified is not None and len(said.acts) == len(DINNER["acts"])
    assert said.nothing_else is not None and said.whole_english is not None


def test_several_texts_are_different_and_in_order(served: Served) -> None:
    (result,) = served.generate({**WEATHER, "n_best": 3, "trust": "graph"}).json()["results"]
    assert result["n_best"][0]["text"] == result["text"]
    assert len({each["text"] for each in result["n_best"]}) == 3
    objectives = [each["objective"] for each in result["n_best"]]
    assert objectives == sorted(objectives)


def test_a_length_of_the_items_own_is_kept(served: Served) -> None:
    (free, bound) = served.generate(DINNER, {**DINNER, "length": "=26"}).json()["results"]
    assert (free["length"] != 26, bound["length"]) == (True, 26)


def test_a_bad_item_leaves_the_others_alone(served: Served) -> None:
    answer = served.generate({"id": "bad", "acts": ["OFFER(city"]}, DINNER)
    assert answer.status_code == 200
    bad, good = answer.json()["results"]
    assert bad["id"] == "bad"
    assert bad["error"]["kind"] == "InvalidInput"
    assert "▸" in bad["error"]["message"]
    assert good["text"]


def test_where_all_items_fail_the_status_says_so(served: Served) -> None:
    answer = served.generate({"acts": ["OFFER(city"]})
    assert (answer.status_code, len(answer.json()["results"])) == (422, 1)


def test_a_contradiction_is_named(served: Served) -> None:
    answer = served.generate({**DINNER, "must": ["restaurant"], "must_not": ["restaurant"]})
    assert answer.status_code == 422
    error = answer.json()["results"][0]["error"]
    assert error["kind"] == "Infeasible"
    assert {"contains('restaurant')", "~contains('restaurant')"} <= set(error["conflict"])


def test_an_unknown_model_is_not_found(served: Served) -> None:
    assert served.generate(DINNER, model="nope").status_code == 404


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"n_best": 3}, "n_best"),
        ({"must": ["a", "b", "c"]}, "phrases"),
        ({"must": ["x" * 51]}, "must"),
        ({"pattern": ["x" * 51]}, "pattern"),
        ({"length": "12-99"}, "length"),
        ({"length": 99}, "length"),
        ({"acts": ["REQUEST(city)"] * 4}, "acts"),
    ],
)
def test_limits_are_named(serving: Callable[..., Served], change: dict[str, Any], named: str) -> None:
    limits = ServiceLimits(items=2, parts=3, phrases=2, characters=50, n_best=2, length=40)
    answer = serving(limits=limits, deadline_ms=120_000).generate({**DINNER, **change})
    assert answer.status_code == 422
    assert named in answer.json()["results"][0]["error"]["message"]


def test_too_many_items_are_refused_as_a_whole(serving: Callable[..., Served]) -> None:
    answer = serving(limits=ServiceLimits(items=2)).generate(DINNER, DINNER, DINNER)
    assert answer.status_code == 422
    assert "2 items" in answer.json()["error"]["message"]


def test_engine_states_are_limited(serving: Callable[..., Served]) -> None:
    answer = serving(limits=ServiceLimits(engine_states=5), deadline_ms=120_000).generate({**DINNER, "trust": "graph"})
    assert answer.status_code == 422
    assert answer.json()["results"][0]["error"]["kind"] == "LatticeTooLarge"


def test_a_deadline_that_passes_gives_504(serving: Callable[..., Served], monkeypatch: pytest.MonkeyPatch) -> None:
    slow = serving(deadline_ms=120_000)
    held = threading.Event()
    predict = ControlDag.predict

    def wait_then_predict(self: ControlDag, items: Any) -> Any:
        held.wait(20)
        return predict(self, items)

    monkeypatch.setattr(ControlDag, "predict", wait_then_predict)
    begin = time.monotonic()
    answer = slow.generate(DINNER, deadline_ms=100)
    held.set()
    assert time.monotonic() - begin < 15
    assert answer.status_code == 504
    assert answer.json()["results"][0]["error"]["kind"] == "DeadlineExceeded"


def test_the_log_has_ids_and_figures_but_no_text(serving: Callable[..., Served]) -> None:
    quiet, talking = serving(deadline_ms=120_000), serving(deadline_ms=120_000, log_text=True)
    for each in (quiet, talking):
        each.client.post("/v1/generate", json={"items": [DINNER]}, headers={"X-Request-ID": "abc-1"})
    lines = [json.loads(line) for line in quiet.log.getvalue().splitlines()]
    (entry,) = [line for line in lines if line["event"] == "request"]
    assert (entry["request_id"], entry["status"], entry["items"]) == ("abc-1", 200, 1)
    assert "Quillon" not in quiet.log.getvalue()
    assert "Quillon" in talking.log.getvalue()


def test_the_figures_tell_of_stages_and_outcomes(serving: Callable[..., Served]) -> None:
    each = serving(deadline_ms=120_000)
    each.generate(DINNER, {"acts": ["OFFER(city"]})
    families = {family.name: family for family in text_string_to_metric_families(each.client.get("/metrics").text)}
    items = {
        sample.labels["outcome"]: sample.value
        for sample in families["controldag_items"].samples
        if sample.name.endswith("total")
    }
    assert items == {"ok": 1.0, "InvalidInput": 1.0}
    stages = {sample.labels["stage"] for sample in families["controldag_stage_seconds"].samples}
    assert {"queue", "forward", "search"} <= stages
    (queue,) = families["controldag_queue_items"].samples
    assert queue.value == 0
