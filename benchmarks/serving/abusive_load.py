"""One abusive client: patterns, long lists, contradictions, huge headers and slow bodies, all at once and on and on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from benchmarks.serving.kept_connections import KeptConnections
from benchmarks.serving.serving_load import Question

_ADDRESS = "10.9.9.9"
# Whoever is told to come back later does not; but the load must leave the machine to the service.
_PAUSE = 0.05
_PATIENCE = 30.0
_SLOW_BODIES = 20
_HEADER = b"POST /v1/generate HTTP/1.1\r\nhost: x\r\n"
# Each asks for what no text can be, or what takes an automaton of many states to find out.
_PATTERNS = ("a{1000}", "(a|b)*a(a|b){500}zz", "[a-z]{500}[0-9]{400}", "(x+x+)+y")


class AbusiveClient:
    """Runs until it is cancelled; `told` counts what each kind of abuse was answered with."""

    def __init__(self, url: str, asked: Question) -> None:
        parts = urlsplit(url)
        self._url, self._host, self._port = url, parts.hostname or "", parts.port or 80
        request = json.loads(asked.body)
        self._model, (self._item,) = request["model"], request["items"]
        self.told: Counter[str] = Counter()

    async def run(self) -> None:
        with closing(KeptConnections(self._url, _PATIENCE)) as http:
            patterns = [self._body({"pattern": [each]}) for each in _PATTERNS]
            lists = [self._body({"n_best": 5}, count=64)]
            contradictions = [self._body({"must": ["nice"], "must_not": ["nice", "a", "e"]})]
            asking = {"pattern": patterns, "list": lists, "contradiction": contradictions}
            async with asyncio.TaskGroup() as all_:
                for kind, bodies in asking.items():
                    all_.create_task(self._again(kind, partial(self._ask, http, bodies)))
                all_.create_task(self._again("header", self._huge_header))
                for _ in range(_SLOW_BODIES):
                    all_.create_task(self._again("slow body", self._slow_body))

    def _body(self, wishes: dict[str, Any], count: int = 1) -> bytes:
        return json.dumps({"model": self._model, "items": [{**self._item, **wishes}] * count}).encode()

    async def _again(self, kind: str, abuse: Callable[[], Awaitable[str]]) -> None:
        while True:
            try:
                self.told[f"{kind}: {await abuse()}"] += 1
            except (OSError, EOFError):
                self.told[f"{kind}: closed"] += 1
            await asyncio.sleep(_PAUSE)

    async def _ask(self, http: KeptConnections, bodies: list[bytes]) -> str:
        body = bodies[self.told.total() % len(bodies)]
        return str((await http.post("/v1/generate", body, client=_ADDRESS)).status)

    async def _huge_header(self) -> str:
        return await self._raw(_HEADER + b"x: " + b"y" * (1 << 20), pause=0.0)

    async def _slow_body(self) -> str:
        return await self._raw(_HEADER + b"content-length: 100000\r\n\r\n", pause=0.5)

    async def _raw(self, sent: bytes, pause: float) -> str:
        """What comes back when this is sent, and then byte after byte."""
        reader, writer = await asyncio.open_connection(self._host, self._port)
        answer = asyncio.create_task(reader.readline())
        try:
            writer.write(sent)
            async with asyncio.timeout(_PATIENCE):
                while not answer.done():
                    await asyncio.wait([answer], timeout=pause or None)
                    if pause and not answer.done():
                        writer.write(b" ")
                        await writer.drain()
            return (await answer).decode("latin-1").partition(" ")[2][:3] or "closed"
        finally:
            answer.cancel()
            with suppress(OSError):
                writer.close()
