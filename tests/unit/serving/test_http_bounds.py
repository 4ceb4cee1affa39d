"""What a connection may do before the application sees a request: uvicorn with our bounds, and a tiny application."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import uvicorn

from controldag.serving.http import HEADER_BYTES, BoundedHttp, Connections

SECONDS = 0.3
ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
BIG = b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers with a few bytes, or with more than any socket keeps for a client that does not read."""
    await receive()
    body = b"x" * (1 << 26 if scope["path"] == "/big" else 5)
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Listening:
    """A server in a thread, and what it counts."""

    def __init__(self) -> None:
        self.connections = Connections(SECONDS, most=6)
        config = uvicorn.Config(
            application,
            http=partial(BoundedHttp, self.connections),  # type: ignore[arg-type]
            ws="none",
            h11_max_incomplete_event_size=HEADER_BYTES,
            lifespan="off",
            log_config=None,
        )
        self.server = uvicorn.Server(config)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]})
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def connect(self) -> socket.socket:
        return socket.create_connection(self.listener.getsockname(), timeout=20)

    def wait_until_empty(self) -> bool:
        until = time.monotonic() + 20
        while self.connections.of and time.monotonic() < until:
            time.sleep(0.01)
        return not self.connections.of


@pytest.fixture(scope="module")
def server() -> Iterator[Listening]:
    made = Listening()
    yield made
    made.server.should_exit = True
    made.thread.join(30)


def all_of(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def test_two_requests_on_one_connection_are_answered(server: Listening) -> None:
    with server.connect() as connection:
        for _ in range(2):
            connection.sendall(ASK)
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("header", [b"x: " + b"y" * 1_000_000, b"\r\n".join(b"x%d: y" % n for n in range(50_000))])
def test_headers_without_end_are_refused_while_they_come(server: Listening, header: bytes) -> None:
    with server.connect() as connection:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + header)
        except OSError:
            return  # closed before all was sent: that is what is wanted
        assert b" 400 " in all_of(connection)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", ASK + b"GET / HTTP/1.1\r\nHos"])
def test_a_head_that_does_not_come_is_given_up(server: Listening, sent: bytes) -> None:
    with server.connect() as connection:
        begin = time.monotonic()
        connection.sendall(sent)
        if sent.startswith(ASK):
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")
            connection.sendall(b"t: x\r\n")  # and more of a head that never ends
        assert all_of(connection).endswith(
            b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        )
        assert time.monotonic() - begin < 10


def test_bytes_one_by_one_do_not_buy_time(server: Listening) -> None:
    with server.connect() as connection:
        begin = time.monotonic()
        try:
            while time.monotonic() - begin < 10:
                connection.sendall(b"G")
                time.sleep(0.05)
        except OSError:
            pass
        assert time.monotonic() - begin < 8


def test_another_protocol_is_answered_in_this_one(server: Listening) -> None:
    upgrade = ASK[:-2] + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n"
    with server.connect() as connection:
        connection.sendall(upgrade)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")


def test_one_address_has_half_of_the_connections(server: Listening) -> None:
    assert server.wait_until_empty()
    held = [server.connect() for _ in range(3)]
    try:
        with server.connect() as connection:
            told = all_of(connection)
            assert told.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 1" in told
    finally:
        for connection in held:
            connection.close()
    assert server.wait_until_empty()
    with server.connect() as connection:
        connection.sendall(ASK)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")


def test_an_answer_that_nobody_reads_is_thrown_away(server: Listening) -> None:
    with server.connect() as connection:
        connection.sendall(BIG)
        assert connection.recv(12) == b"HTTP/1.1 200"
        assert server.wait_until_empty()
