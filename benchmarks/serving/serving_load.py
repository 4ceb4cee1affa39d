"""Load on a service: clients that ask again and again, or arrivals at a given rate; every answer is checked."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from benchmarks.serving.kept_connections import KeptConnections
from controldag.checkpoint.folder import Checkpoint
from controldag.constraints.check import satisfies
from controldag.data import samples
from controldag.generation.demands import demands_of
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request

# Three times the service's deadline: what has no answer then will have none.
_PATIENCE = 30.0
# Seconds that a load may be behind in the end: a moment's stall is not the load that was not sent.
_LAG = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """A request as it is sent, and whether a text satisfies what it demands, by code that no search shares."""

    body: bytes
    satisfied: Callable[[str], bool]


def questions(model: str) -> list[Question]:
    """The demo's inputs for a bundled model; its weights are not needed."""
    checkpoint = Checkpoint.open(model)
    path = samples.DEMO_ACTS if checkpoint.settings.task == "acts" else samples.DEMO_TRIPLES
    return [_question(line, checkpoint) for line in path.read_text("utf-8").splitlines()]


def _question(line: str, checkpoint: Checkpoint) -> Question:
    item = json.loads(line)
    request = request_of(item, Request(()))
    demands = demands_of(request.example(), request.constraint, checkpoint.settings, checkpoint.knowledge)
    return Question(
        json.dumps({"model": checkpoint.name, "items": [item]}).encode(),
        lambda text: bool(text) and satisfies(demands.constraint, text),
    )


@dataclass(slots=True)
class Tally:
    """What came back: requests by outcome, and the seconds each answer of 200 took.

    wrong: 200 with a text that breaks a constraint. broken: no answer at all, or one that no service should give.
    unsent: due, but the load fell behind.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    wall: float = 0.0

    @property
    def per_second(self) -> float:
        return self.outcomes["ok"] / self.wall if self.wall else 0.0

    def percentile(self, share: float) -> float:
        """Milliseconds within which that share of the good answers came."""
        return 1000 * float(np.quantile(self.seconds, share)) if self.seconds else float("nan")


def closed_load(
    url: str,
    asked: Sequence[Question],
    clients: int,
    seconds: float,
    beside: Callable[[], Awaitable[None]] | None = None,
) -> Tally:
    """So many clients, each with one request at a time and at least one in all; who is refused waits as it is told.

    `beside`: what runs at the same time, until they have done.
    """
    return _in_a_loop(lambda: _closed(url, asked, clients, seconds, beside))


def open_load(url: str, asked: Sequence[Question], rate: float, seconds: float) -> Tally:
    """So many requests a second, whether or not those before were answered; it ends within 30 seconds of the last."""
    return _in_a_loop(lambda: _open(url, asked, rate, seconds))


def _in_a_loop(load: Callable[[], Coroutine[Any, Any, Tally]]) -> Tally:
    """Runs the load in a thread of its own: the caller's may have an event loop already, as notebooks do."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(load())).result()


async def _closed(
    url: str,
    asked: Sequence[Question],
    clients: int,
    seconds: float,
    beside: Callable[[], Awaitable[None]] | None,
) -> Tally:
    tally, numbers = Tally(), count()
    begin = time.perf_counter()

    async def client(number: int) -> None:
        while True:
            pause = await _ask(http, asked[next(numbers) % len(asked)], tally, f"10.0.{number // 250}.{number % 250}")
            left = begin + seconds - time.perf_counter()
            if left <= 0:
                return
            await asyncio.sleep(min(pause, left))

    with closing(KeptConnections(url, _PATIENCE)) as http:
        other = None if beside is None else asyncio.ensure_future(beside())
        await asyncio.gather(*(client(number) for number in range(clients)))
        if other is not None:
            other.cancel()
            await asyncio.wait([other])
    tally.wall = time.perf_counter() - begin
    return tally


async def _open(url: str, asked: Sequence[Question], rate: float, seconds: float) -> Tally:
    tally, due = Tally(), int(rate * seconds)
    begin = time.perf_counter()
    with closing(KeptConnections(url, _PATIENCE)) as http:
        async with asyncio.TaskGroup() as all_:
            for number in range(due):
                passed = time.perf_counter() - begin
                if passed > seconds + _LAG:
                    tally.outcomes["unsent"] = due - number
                    break
                await asyncio.sleep(max(0.0, number / rate - passed))
                all_.create_task(_ask(http, asked[number % len(asked)], tally))
    tally.wall = time.perf_counter() - begin
    return tally


async def _ask(http: KeptConnections, question: Question, tally: Tally, client: str = "") -> float:
    """Asks once, and gives the seconds to wait before asking again."""
    begin = time.perf_counter()
    try:
        answer = await http.post("/v1/generate", question.body, client=client)
    except (OSError, EOFError) as error:
        tally.outcomes["broken"] += 1
        tally.outcomes[f"broken: {type(error).__name__}"] += 1
        return 0.0
    if answer.status == 200:
        tally.seconds.append(time.perf_counter() - begin)
        good = question.satisfied(json.loads(answer.body)["results"][0]["text"])
        tally.outcomes["ok" if good else "wrong"] += 1
    elif answer.status == 503 and "retry-after" in answer.headers:
        tally.outcomes["busy"] += 1
        return float(answer.headers["retry-after"])
    elif answer.status == 504:
        tally.outcomes["late"] += 1
    else:
        tally.outcomes["broken"] += 1
        tally.outcomes[f"broken: {answer.status}"] += 1
    return 0.0
