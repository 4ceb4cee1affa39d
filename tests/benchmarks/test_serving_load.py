"""The load generator tells good answers from wrong, late and broken ones and ends in time; the verdict is strict."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import pytest

from benchmarks.serving import run as bench_serving
from benchmarks.serving import serving_load
from benchmarks.serving.abusive_load import AbusiveClient
from benchmarks.serving.run import AbuseSoak, Soak, soak
from benchmarks.serving.serving_load import Question, closed_load, open_load, questions

GOOD = Soak(30.0, 90.0, 5.0, {"ok": 100, "busy": 200}, 100.0, 900.0, [500.0] * 10, 0.5)


@contextmanager
def server(*replies: tuple[int, str], peers: set[Any] | None = None, closes: bool = False) -> Iterator[str]:
    """An HTTP server that gives these statuses and texts in turn, over and over, and notes who came."""
    numbers = count()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            if peers is not None:
                peers.add(self.client_address)
            self.rfile.read(int(self.headers["content-length"]))
            status, text = replies[next(numbers) % len(replies)]
            body = json.dumps({"results": [{"text": text}]}).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            if status == 503:
                self.send_header("retry-after", "1")
            if closes:
                self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_a_text_without_a_required_value_is_wrong() -> None:
    hotel = questions("sgd-mini")[2]
    assert hotel.satisfied("The address is 1187 Larkspur Lane and the phone number is 555-0142-889.")
    assert not hotel.satisfied("The address is 1187 Larkspur Lane.")
    assert not hotel.satisfied("")


def test_every_outcome_is_counted() -> None:
    right = "The address is 1187 Larkspur Lane and the phone number is 555-0142-889."
    asked = questions("sgd-mini")[2:3]
    with server((200, right), (200, "Hello"), (503, ""), (504, ""), (500, "")) as url:
        tally = open_load(url, asked, rate=100.0, seconds=0.2)
    assert dict(tally.outcomes) == {"ok": 4, "wrong": 4, "busy": 4, "late": 4, "broken": 4, "broken: 500": 4}
    assert len(tally.seconds) == 8
    assert 0 < tally.percentile(0.5) <= tally.percentile(0.99)


def test_nobody_there_is_broken() -> None:
    with server((200, "")) as url:
        pass
    tally = closed_load(url, questions("sgd-mini"), clients=2, seconds=0.01)
    assert tally.outcomes["broken"] >= 2
    assert tally.per_second == 0


def test_a_connection_is_kept_unless_the_server_closes_it() -> None:
    for closes in (False, True):
        peers: set[Any] = set()
        with server((200, "Hello"), peers=peers, closes=closes) as url:
            tally = closed_load(url, questions("sgd-mini"), clients=1, seconds=0.3)
        assert len(tally.seconds) == tally.outcomes.total() > 1
        assert len(peers) == (len(tally.seconds) if closes else 1)


def test_a_client_that_is_refused_waits_as_it_is_told() -> None:
    with server((503, "")) as url:
        tally = closed_load(url, questions("sgd-mini"), clients=1, seconds=0.3)
    assert dict(tally.outcomes) == {"busy": 2}  # at once, and after all of its time, which is less than a second


def test_a_load_that_falls_behind_ends_in_time_and_tells() -> None:
    def slowly(text: str) -> bool:
        time.sleep(0.05)
        return True

    with server((200, "Hello")) as url:
        tally = open_load(url, [Question(b"{}", slowly)], rate=200.0, seconds=0.5)
    assert tally.outcomes["unsent"] > 0
    assert tally.outcomes["ok"] + tally.outcomes["unsent"] == 100
    assert tally.wall < 100 * 0.05


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_load, "_PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        tally = open_load(f"http://127.0.0.1:{silent.getsockname()[1]}/", questions("sgd-mini"), 100.0, 0.05)
    assert dict(tally.outcomes) == {"broken": 5, "broken: TimeoutError": 5}
    assert tally.wall < 5


@pytest.mark.slow
def test_a_soak_of_a_real_service_ends_and_tells_its_phases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_serving, "_WARM_SECONDS", 0.5)
    told: list[str] = []
    found = soak("sgd-mini", minutes=0.05, seconds=1.0, tell=told.append)
    # Whether it saturates in three seconds is left to `make soak`.
    assert set(found.outcomes) <= {"ok", "busy", "unsent"}
    assert found.outcomes["ok"] > 0
    assert 0 < found.p50_ms <= found.p99_ms
    phases = ["starting", "looking for saturation", "sending", "of load", "waiting"]
    places = [next(place for place, line in enumerate(told) if phase in line) for phase in phases]
    assert places == sorted(places)


def test_an_abusive_client_asks_until_the_others_have_done() -> None:
    asked = [Question(questions("sgd-mini")[0].body, lambda text: True)]
    with server((200, "Hello")) as url:
        abuser = AbusiveClient(url, asked[0])
        tally = closed_load(url, asked, clients=2, seconds=0.5, beside=abuser.run)
    assert set(tally.outcomes) == {"ok"}
    assert {"pattern: 200", "list: 200", "contradiction: 200"} <= set(abuser.told)
    assert {each for each in abuser.told if each.startswith("header")} <= {"header: 431", "header: closed"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, None),
        ({"beside": {"p99_ms": 201.0}}, "p99 rose from 100 to 201"),
        ({"outcomes": {"ok": 1, "busy": 2}}, "2 busy"),
        ({"memory_mib": [500.0] * 9 + [601.0]}, "memory grew"),
    ],
)
def test_the_verdict_on_a_soak_beside_abuse(change: dict[str, Any], told: str | None) -> None:
    good = AbuseSoak(5.0, {"p99_ms": 100.0}, {"p99_ms": 200.0}, {"ok": 9}, {}, [500.0] * 10)
    faults = replace(good, **change).faults
    assert faults == [] if told is None else told in faults[0]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, None),
        ({"offered": 60.0}, "2.0 times"),
        ({"outcomes": {"ok": 1, "busy": 1, "wrong": 1}}, "wrong"),
        ({"outcomes": {"ok": 1, "busy": 1, "broken": 1}}, "broken"),
        ({"outcomes": {"ok": 1, "busy": 1, "late": 1}}, "late"),
        ({"outcomes": {"ok": 1}}, "did not saturate"),
        ({"memory_mib": [500.0] * 9 + [700.0]}, "memory grew"),
        ({"recovery_seconds": 11.0}, "recovery"),
    ],
)
def test_the_verdict_on_a_soak(change: dict[str, Any], told: str | None) -> None:
    faults = replace(GOOD, **change).faults
    assert faults == [] if told is None else told in faults[0]
