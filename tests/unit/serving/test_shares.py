"""Shares of time: clients take turns by what they have had, in the queue and in the lane of slow searches."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from controldag.generation.request import Request
from controldag.serving.faults import Busy
from controldag.serving.jobs import Job
from controldag.serving.queue import JobQueue
from controldag.serving.shares import Shares
from controldag.serving.slow_lane import FIRST_SHARE, UNUSUAL_SHARE, Search, SlowLane


def jobs(client: str, count: int, seconds: float = 60.0) -> list[Job]:
    return [Job(Request(()), time.monotonic() + seconds, client=client) for _ in range(count)]


def clients(batch: list[Job]) -> str:
    return "".join(job.client for job in batch)


def queue(capacity: int = 100, batch: int = 8) -> JobQueue:
    made = JobQueue(capacity, batch, 0.0, lambda _: None)
    made.pace(10, 1.0)
    return made


def test_who_had_more_waits_until_others_had_as_much() -> None:
    shares = Shares()
    shares.charge("a", 2.0)
    assert shares.had("b") < shares.had("a")
    shares.charge("b", 3.0)
    shares.serve("a")
    assert shares.had("new") == shares.had("a") < shares.had("b")


def test_a_long_list_leaves_others_their_place_in_the_next_batch() -> None:
    waiting = queue()
    waiting.put(jobs("a", 50))
    waiting.put(jobs("b", 1))
    waiting.put(jobs("c", 1))
    # Five of the long list: as many as a client may be ahead, and one.
    assert sorted(clients(waiting.take())) == ["a", "a", "a", "a", "a", "b", "c"]
    assert clients(waiting.take()) == "a" * 8


def test_a_client_that_was_charged_waits_while_others_ask() -> None:
    waiting = queue()
    waiting.charge("a", 5.0)
    for _ in range(3):
        waiting.put(jobs("a", 1))
        waiting.put(jobs("b", 1))
        assert clients(waiting.take()) == "b"
        waiting.charge("b", 0.1)
    assert clients(waiting.take()) == "aaa"


def test_a_full_queue_of_one_client_has_room_for_others() -> None:
    waiting = queue()
    waiting.put(jobs("a", 30, seconds=200.0))
    with pytest.raises(Busy):
        waiting.put(jobs("a", 60, seconds=200.0))
    waiting.put(jobs("a", 45, seconds=200.0))
    with pytest.raises(Busy):
        waiting.check_room("a", 200.0)
    # Of the 75 before it, no more than one comes first.
    waiting.put(jobs("b", 1, seconds=1.0))


def test_a_first_search_that_asks_for_more_than_its_input_keeps_others_waiting_for_less() -> None:
    nothing: Any = None
    (usual,) = jobs("a", 1)
    asked = replace(usual, request=replace(usual.request, n_best=3))
    shares = [Search.first(each, nothing, nothing).share for each in (usual, asked)]
    assert shares == [FIRST_SHARE, UNUSUAL_SHARE] and UNUSUAL_SHARE < FIRST_SHARE


def search(client: str, share: float = 1.0) -> Search:
    nothing: Any = None  # the lane looks at the job alone
    return Search(jobs(client, 1)[0], nothing, nothing, share)


def test_the_lane_gives_each_client_its_turn_and_what_is_put_back_comes_later() -> None:
    begun: list[str] = []
    ready = threading.Event()

    def run(each: Search) -> Search | None:
        ready.wait(10)
        begun.append(f"{each.job.client}{each.share:g}")
        until = time.thread_time() + 0.01
        while time.thread_time() < until:
            pass
        return each.longer() if each.job.client == "slow" and each.share < 16 else None

    lane = SlowLane(run, "test")
    for client in ("slow", "slow", "quick"):
        assert lane.put(search(client))
    assert lane.holds("slow")
    assert not lane.holds("other")
    lane.start()
    ready.set()
    lane.close()
    assert begun.index("quick1") <= 1
    assert sorted(begun) == ["quick1", "slow1", "slow1", "slow16", "slow16", "slow4", "slow4"]
    assert not lane.holds("slow")


def test_a_client_cannot_fill_the_lane() -> None:
    lane = SlowLane(lambda _: None, "test")
    placed = [lane.put(search("greedy")) for _ in range(20)]
    assert sum(placed) == 8
    assert lane.put(search("other"))
    lane.start()
    lane.close()
