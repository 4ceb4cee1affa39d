"""The client against a server that is busy for a while, or is no service at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from controldag.client import Client, RemoteError

Reply = tuple[int, dict[str, str], bytes]


@contextmanager
def server(*replies: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An HTTP server that gives these replies in turn, and what it was asked."""
    waiting, asked = list(replies), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            asked.append({"token": self.headers.get("authorization"), **json.loads(body)})
            status, headers, content = waiting.pop(0)
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()
        thread.join()


def busy(after: str = "0") -> Reply:
    fault = {"kind": "Busy", "message": "The service is busy.", "remedy": "Try again later.", "conflict": []}
    return 503, {"retry-after": after}, json.dumps({"error": fault, "request_id": "r"}).encode()


GOOD: Reply = (
    200,
    {},
    json.dumps(
        {
            "request_id": "r",
            "results": [
                {
                    "id": "a",
                    "text": "Hi",
                    "origin": "plain",
                    "verified": True,
                    "n_best": [{"text": "Ho"}, {"text": "Hey"}],
                },
                {"id": "b", "error": {"kind": "Infeasible", "message": "No.", "remedy": "Yes.", "conflict": ["x"]}},
            ],
        }
    ).encode(),
)


def test_a_busy_service_is_asked_again_after_its_pause() -> None:
    with server(busy("0.1"), busy("soon"), GOOD) as (url, asked), Client(url, token="t") as client:
        good, bad = client.generate_batch([{"acts": ["A"]}, {}])
    assert len(asked) == 3
    assert asked[0] == asked[2]
    assert asked[0]["token"] == "Bearer t"
    assert not isinstance(good, RemoteError)
    assert (good.text, good.n_best) == ("Hi", ("Hi", "Ho", "Hey"))
    assert (good.origin, good.verified) == ("plain", True)
    assert isinstance(bad, RemoteError)
    assert (bad.id, bad.kind, bad.conflict, str(bad)) == ("b", "Infeasible", ("x",), "No. Yes.")


def test_patience_has_an_end() -> None:
    with (
        server(busy(), busy()) as (url, asked),
        Client(url, retries=1) as client,
        pytest.raises(RemoteError, match="busy") as raised,
    ):
        client.generate({"acts": ["A"]})
    assert (raised.value.status, raised.value.request_id, len(asked)) == (503, "r", 2)


def test_something_else_behind_the_address_is_told() -> None:
    with (
        server((200, {}, b"<html>")) as (url, _),
        Client(url) as client,
        pytest.raises(RemoteError, match="no JSON object"),
    ):
        client.generate({"acts": ["A"]})


def test_nobody_there_is_not_ready() -> None:
    with server() as (url, _):
        pass
    with Client(url) as client:
        assert not client.ready()
