"""Clients that ask for what takes long: they wait for themselves, and others go on as if they were not there."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.serving.jobs import Job
from controldag.serving.logs import JsonLog
from controldag.serving.metrics import Metrics
from controldag.serving.options import ServiceOptions
from controldag.serving.slow_lane import Search
from controldag.serving.worker import Worker
from tests.unit.serving.conftest import Served
from tests.unit.serving.test_generate_route import DINNER

# Its automaton grows with every vertex of a graph that offers a word with one of these letters: seconds of search.
SLOW = {**DINNER, "pattern": ["(a|e)[a-z ]{90}[aeio][a-z ]{90}zz"]}


def someone_else(served: Served, address: str) -> TestClient:
    return TestClient(served.client.app, client=(address, 1), raise_server_exceptions=False)


@pytest.fixture(scope="module")
def small(serving: Callable[..., Served]) -> Served:
    return serving(deadline_ms=4_000)


def test_slow_searches_do_not_hold_up_those_of_others(small: Served) -> None:
    stop = threading.Event()
    told: list[int] = []

    def abuse() -> None:
        client = someone_else(small, "10.0.0.9")
        while not stop.is_set():
            told.append(client.post("/v1/generate", json={"items": [SLOW] * 8}).status_code)

    abusers = [threading.Thread(target=abuse) for _ in range(2)]
    for each in abusers:
        each.start()
    try:
        time.sleep(0.5)
        waits = []
        for _ in range(5):
            begin = time.monotonic()
            answer = small.generate(DINNER)
            waits.append(time.monotonic() - begin)
            assert answer.status_code == 200, answer.text
    finally:
        stop.set()
        for each in abusers:
            each.join()
    # A slow search takes all of its deadline.
    assert sorted(waits)[2] < 2.0
    assert set(told) <= {422, 503, 504}


def test_a_search_that_outlasts_its_share_is_taken_up_again_until_it_is_found(model: ControlDag) -> None:
    item = model.prepare(request_of(DINNER, Request(())))
    dag = model.predict([item])[0]
    job = Job(item.request, time.monotonic() + 120)
    worker = Worker(model, ServiceOptions(), JsonLog(Metrics(), io.StringIO()))
    search: Search | None = Search(job, item, dag, share=1e-4)
    rounds = 0
    while search is not None:
        search, rounds = worker._searched(search), rounds + 1
    assert rounds > 1
    found = job.outcome.result()
    assert isinstance(found, Result)
    assert found.text == model.answer(item, dag).text


def test_many_patterns_are_refused_before_they_are_compiled(small: Served) -> None:
    answer = small.generate({**DINNER, "pattern": ["a{3000}"] * 5})
    assert (answer.status_code, "pattern" in answer.text) == (422, True)
    begin = time.monotonic()
    answer = small.generate(*[{**DINNER, "pattern": [f"(a|b){{2000}}{n}"] * 4} for n in range(64)])
    assert "took too long to read" in answer.text
    assert time.monotonic() - begin < 60


def test_nobody_is_sent_where_the_host_header_says(small: Served) -> None:
    answer = small.client.post("/v1/generate/", headers={"Host": "evil.example"}, follow_redirects=False)
    assert answer.status_code == 404
    assert "evil" not in str(answer.headers)
