"""The load generator tells good answers from wrong, late and broken ones, and the verdict on a soak is strict."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import pytest

from controldag.experiments.bench_serving import Soak
from controldag.experiments.serving_load import closed_load, open_load, questions

GOOD = Soak(30.0, 90.0, 5.0, {"ok": 100, "busy": 200}, 100.0, 900.0, [500.0] * 10, 0.5)


@contextmanager
def server(*replies: tuple[int, str]) -> Iterator[str]:
    """An HTTP server that gives these statuses and texts in turn, over and over."""
    numbers = count()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            status, text = replies[next(numbers) % len(replies)]
            body = json.dumps({"results": [{"text": text}]}).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            if status == 503:
                self.send_header("retry-after", "1")
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


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, None),
        ({"outcomes": {"ok": 1, "busy": 1, "wrong": 1}}, "wrong"),
        ({"outcomes": {"ok": 1, "busy": 1, "broken": 1}}, "broken"),
        ({"outcomes": {"ok": 1, "busy": 1, "late": 1}}, "late"),
        ({"outcomes": {"ok": 1}}, "did not saturate"),
        ({"memory_mib": [500.0] * 9 + [700.0]}, "memory grew"),
        ({"recovery_seconds": 9.0}, "recovery"),
    ],
)
def test_the_verdict_on_a_soak(change: dict[str, Any], told: str | None) -> None:
    faults = replace(GOOD, **change).faults
    assert faults == [] if told is None else told in faults[0]
