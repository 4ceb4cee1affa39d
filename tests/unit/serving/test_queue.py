"""The queue: bounded, in order, in batches, and nothing accepted is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

import pytest

from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.serving.faults import Busy, Stopping
from controldag.serving.jobs import Job
from controldag.serving.queue import JobQueue

DONE = Result("done", "none", 0.0, 0.0, 1)


def jobs(count: int, seconds: float = 60.0) -> list[Job]:
    return [Job(Request(()), time.monotonic() + seconds) for _ in range(count)]


def answer(given: Sequence[Job]) -> None:
    for job in given:
        job.outcome.set_running_or_notify_cancel()
        job.outcome.set_result(DONE)


def queue(capacity: int = 8, batch: int = 4, wait: float = 0.0) -> tuple[JobQueue, list[int]]:
    seen: list[int] = []
    return JobQueue(capacity, batch, wait, seen.append), seen


def test_jobs_come_out_in_order_and_in_batches() -> None:
    waiting, seen = queue()
    first, second = jobs(3), jobs(3)
    waiting.put(first)
    waiting.put(second)
    assert waiting.take() == [*first, second[0]]
    assert waiting.take() == second[1:]
    answer([*first, *second])
    assert (waiting.unanswered, seen[-1], max(seen)) == (0, 0, 6)


def test_a_full_queue_takes_all_of_a_request_or_nothing() -> None:
    waiting, _ = queue()
    accepted = jobs(6)
    waiting.put(accepted)
    with pytest.raises(Busy) as busy:
        waiting.put(jobs(3))
    assert busy.value.retry_after >= 1
    waiting.put([replace(job, client="another") for job in jobs(2)])
    with pytest.raises(Busy):
        waiting.check_room("", 60.0)
    answer(waiting.take())
    waiting.check_room("", 60.0)


def test_jobs_that_would_come_too_late_are_refused() -> None:
    waiting, _ = queue(capacity=100)
    waiting.pace(10, 10.0)
    waiting.put(jobs(5))
    with pytest.raises(Busy) as busy:
        waiting.put(jobs(1, seconds=11.0))
    assert busy.value.retry_after == 5
    waiting.put(jobs(1, seconds=30.0))


def test_a_list_too_long_for_its_deadline_is_told_to_be_shorter() -> None:
    """Beside others it could not be done in time, however often it came back; fewer items could."""
    waiting, _ = queue(capacity=100)
    waiting.pace(10, 1.0)
    waiting.put(jobs(1))
    with pytest.raises(Busy, match="Send fewer items at a time"):
        waiting.put(jobs(64, seconds=10.0))
    waiting.put(jobs(16, seconds=10.0))


def test_long_searches_of_a_list_come_one_by_one_where_others_wait() -> None:
    """All of a batch wait for its searches: of 64 items with five texts each, four held it up at a time."""
    waiting, _ = queue(capacity=100, batch=16)
    asking = Request((), n_best=5)
    waiting.put([replace(job, request=asking, client="list", outcome=Future()) for job in jobs(6)])
    for name in ("one", "other"):
        waiting.put([replace(job, client=name, outcome=Future()) for job in jobs(1)])
    assert sorted(job.client for job in waiting.take()) == ["list", "one", "other"]
    assert [job.client for job in waiting.take()] == ["list"] * 5  # nobody else is there


def test_an_idle_queue_takes_what_may_come_too_late() -> None:
    waiting, _ = queue()
    waiting.pace(1, 100.0)
    waiting.put(jobs(1, seconds=1.0))
    assert waiting.unanswered == 1


def test_the_first_job_waits_for_others_but_not_for_long() -> None:
    waiting, _ = queue(wait=0.5)
    first, second = jobs(1), jobs(1)
    waiting.put(first)
    threading.Timer(0.1, waiting.put, [second]).start()
    begin = time.monotonic()
    assert waiting.take() == [*first, *second]
    assert 0.3 < time.monotonic() - begin < 5


def test_a_full_batch_does_not_wait() -> None:
    waiting, _ = queue(batch=2, wait=60.0)
    waiting.put(jobs(2))
    begin = time.monotonic()
    assert len(waiting.take()) == 2
    assert time.monotonic() - begin < 10


def test_a_closed_queue_gives_out_what_it_has_and_takes_nothing() -> None:
    waiting, _ = queue(wait=60.0)
    accepted = jobs(1)
    waiting.put(accepted)
    waiting.close()
    with pytest.raises(Stopping):
        waiting.put(jobs(1))
    assert waiting.take() == accepted
    assert waiting.take() == []


def test_a_job_given_up_frees_its_place() -> None:
    waiting, _ = queue(capacity=1)
    (job,) = jobs(1)
    waiting.put([job])
    job.outcome.cancel()
    waiting.put(jobs(1))
    assert waiting.unanswered == 1
