"""POSTs to one service over connections that are kept, so cheap that the load they make is the service's to bear."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

# Less than servers keep an idle connection (uvicorn: five seconds): none is used that is just being closed.
_IDLE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; the names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class KeptConnections:
    """As many connections as there are requests at a time; the one used last is used next.

    A request costs the same however many connections there are. httpx looks through all of them for each, and with a
    hundred takes a core for a hundred requests a second: one of the two that the service has.
    """

    def __init__(self, url: str, patience: float) -> None:
        """`patience`: seconds until a request is given up."""
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._patience = patience
        self._idle: list[tuple[float, _Connection]] = []

    async def post(self, path: str, body: bytes, *, client: str = "") -> Answer:
        """The answer; OSError or EOFError where there is none in time, or none with a length.

        `client`: the address to ask from, as a proxy would tell it.
        """
        head = f"POST {path} HTTP/1.1\r\nhost: {self._host}\r\ncontent-type: application/json\r\n"
        head += f"x-forwarded-for: {client}\r\ncontent-length: " if client else "content-length: "
        connection = None
        try:
            async with asyncio.timeout(self._patience):
                connection = await self._connection()
                connection.writer.write(f"{head}{len(body)}\r\n\r\n".encode() + body)
                answer = await _read(connection.reader)
        except BaseException:
            if connection is not None:
                connection.writer.close()
            raise
        if answer.headers.get("connection", "").lower() == "close":
            connection.writer.close()
        else:
            self._idle.append((time.monotonic(), connection))
        return answer

    def close(self) -> None:
        """Closes those that nobody uses."""
        for _, connection in self._idle:
            connection.writer.close()
        self._idle.clear()

    async def _connection(self) -> _Connection:
        while self._idle:
            since, connection = self._idle.pop()
            if time.monotonic() - since < _IDLE_SECONDS and not connection.reader.at_eof():
                return connection
            connection.writer.close()
        return _Connection(*await asyncio.open_connection(self._host, self._port))


async def _read(reader: asyncio.StreamReader) -> Answer:
    try:
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        return Answer(int(first.split()[1]), headers, await reader.readexactly(int(headers["content-length"])))
    except (asyncio.LimitOverrunError, ValueError, LookupError) as error:
        raise ConnectionError("not an answer that could be read") from error
