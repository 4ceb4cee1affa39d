"""A list of hostile requests: each is answered with 4xx, soon, and the service goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from controldag.serving.options import ServiceLimits
from tests.unit.serving.conftest import Served
from tests.unit.serving.test_generate_route import DINNER

SECONDS = 120  # far above what any takes alone: the machine may be busy, and slow


def body(**change: Any) -> bytes:
    return json.dumps({"items": [{**DINNER, **change}]}).encode()


HOSTILE: dict[str, tuple[bytes, set[int]]] = {
    "deep lists": (b"[" * 100_000, {400}),
    "deep objects": (b'{"items":' * 20_000 + b"1" + b"}" * 20_000, {400, 422}),
    "deep in a field": (b'{"items":[{"must":' + b"[" * 900 + b"]" * 900 + b"}]}", {400, 422}),
    "no JSON": (b"\xff\xfe{", {400}),
    "empty": (b"", {400, 422}),
    "huge integer": (b'{"items":[{"n_best":' + b"9" * 5_000 + b"}]}", {400, 422}),
    "large integer": (b'{"items":[{"acts":["REQUEST(city)"],"n_best":' + b"9" * 400 + b"}]}", {422}),
    "huge float": (b'{"items":[{"n_best":1e999}]}', {422}),
    "NaN": (b'{"items":[{"length":NaN}]}', {422}),
    "negative deadline": (b'{"items":[],"deadline_ms":-1}', {422}),
    "no items": (b'{"items":[]}', {422}),
    "unknown field": (body(unknown=1), {422}),
    "megabyte": (body(must=["x" * 1_000_000]), {413}),
    "long phrase": (body(must=["x" * 100_000]), {422}),
    "many phrases": (body(must=["x"] * 10_000), {422}),
    "many groups": (body(must_any=[[]] * 10_000), {422}),
    "empty phrase": (body(must=[""]), {422}),
    "long id": (body(id="x" * 100_000), {422}),
    "many items": (json.dumps({"items": [DINNER] * 1_000}).encode(), {422}),
    "exploding counts": (body(pattern=["((a{1000}){1000}){1000}"]), {422}),
    "exploding groups": (body(pattern=["(" * 400 + ")" * 400]), {422}),
    "exploding automaton": (body(pattern=["(a|b)*a(a|b){500}zz"]), {422}),
    "catastrophic backtracking": (body(pattern=["(x+x+)+y"]), {422}),
    "lone surrogate": (b'{"items":[{"id":"\\ud800","acts":["REQUEST(city)"]}]}', {422}),
    "lone surrogate in a phrase": (b'{"items":[{"acts":["REQUEST(city)"],"must":["\\udfff"]}]}', {422}),
    "lone surrogate in a key": (b'{"items":[{"\\ud800":1}]}', {422}),
    "NUL": (body(acts=["OFFER(city=a\0b)"]), {422}),
    "NUL in a phrase": (body(must=["a\0b"]), {422}),
    "override and joiners": (body(service="\u202eRestaurants_1\u200d"), {422}),
    "full-width act": (body(acts=["ＯＦＦＥＲ(city=x)"]), {422}),
    "graph larger than the model": (body(must=[f"{i} " + "xq" * 450 for i in range(30)]), {422}),
    "length in words": (body(length="ten"), {422}),
    "length beyond reason": (body(length="=999999"), {422}),
    "path for a model": (json.dumps({"model": "../../etc/passwd", "items": [DINNER]}).encode(), {404}),
    "unknown decoder": (body(decoder="__import__"), {422}),
    "templates that are not there": (body(decoder="templates"), {422}),
}


@pytest.fixture(scope="module")
def hostile(serving: Callable[..., Served]) -> Served:
    # Fewer states than a service allows: what passes that limit passes this one, and sooner.
    return serving(deadline_ms=1000 * SECONDS, limits=ServiceLimits(engine_states=50_000))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_request_is_refused_in_bounded_time(hostile: Served, name: str) -> None:
    content, statuses = HOSTILE[name]
    begin = time.monotonic()
    answer = hostile.client.post("/v1/generate", content=content, headers={"Content-Type": "application/json"})
    assert time.monotonic() - begin < SECONDS
    assert answer.status_code in statuses, answer.text[:500]
    assert len(answer.content) < 5_000
    told = answer.text
    assert "Traceback" not in told
    assert "site-packages" not in told
    assert ".py" not in told


def test_the_service_goes_on_after_all_of_them(hostile: Served) -> None:
    assert hostile.generate(DINNER).status_code == 200
