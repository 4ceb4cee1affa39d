"""uvicorn's HTTP/1.1 with bounds on what comes before a request is one: headers, connections, answers nobody reads."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_BYTES = 16 * 1024
"""Of a request's first line and headers together; more is answered with 400."""
_REFUSAL = "HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: 0\r\n{}\r\n"
_FULL = _REFUSAL.format("503 Service Unavailable", "retry-after: 1\r\n").encode()
_SLOW = _REFUSAL.format("408 Request Timeout", "").encode()


@dataclass(slots=True)
class Connections:
    """What one server bears, and whose connections are open.

    seconds: that headers may take to arrive, and an answer to be read. most: at a time; one address has half of them.
    """

    seconds: float
    most: int = 1024
    of: Counter[str] = field(default_factory=Counter)


class BoundedHttp(H11Protocol):
    """One connection."""

    def __init__(self, bounds: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._bounds = bounds
        self._address = ""
        self._refused = False
        self._head_timer: asyncio.TimerHandle | None = None
        self._answer_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        of = self._bounds.of
        of[self._address] += 1
        if of.total() > self._bounds.most or of[self._address] > max(1, self._bounds.most // 2):
            self._refuse(_FULL)
        else:
            self._head_timer = self._later(self._head_is_late)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._bounds.of[self._address] -= 1
        if not self._bounds.of[self._address]:
            del self._bounds.of[self._address]
        for timer in (self._head_timer, self._answer_timer):
            if timer is not None:
                timer.cancel()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:  # the head is whole; the gate looks after the body
            self._drop_head_timer()
        elif self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self._later(self._head_is_late)

    def on_response_complete(self) -> None:
        self._drop_head_timer()
        super().on_response_complete()
        if self._answer_timer is None:
            self._answer_timer = self._later(self._answer_is_late)

    def _unsupported_upgrade_warning(self) -> None:
        """Whoever asks for another protocol is answered in this one: that is no news for the log."""

    def _head_is_late(self) -> None:
        self._head_timer = None
        self._refuse(_SLOW)

    def _answer_is_late(self) -> None:
        self._answer_timer = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _refuse(self, answer: bytes) -> None:
        self._refused = True
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _drop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _later(self, action: Any) -> asyncio.TimerHandle:
        return self.loop.call_later(self._bounds.seconds, action)
