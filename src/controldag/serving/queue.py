"""A bounded queue of jobs that gives them out in batches, waiting a bounded time for company."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from controldag.serving.faults import Busy, Stopping
from controldag.serving.jobs import Job

# How much the newest batch counts in the running mean of seconds an item.
_NEWEST = 0.2
_LONGEST_RETRY = 30
# Of its deadline that a job may be expected to wait: the pace is a guess, and the answer has to get out as well.
_SHARE_OF_DEADLINE = 0.5


class JobQueue:
    """Jobs that were accepted and are not answered yet; the oldest are given out first."""

    def __init__(self, capacity: int, batch: int, wait_seconds: float, watch: Callable[[int], None]) -> None:
        """`watch` is told how many jobs there are whenever that changes."""
        self._capacity = capacity
        self._batch = batch
        self._wait = wait_seconds
        self._watch = watch
        self._waiting: deque[Job] = deque()
        self._unanswered = 0
        self._closed = False
        self._seconds_an_item = 0.0
        self._changed = threading.Condition()

    def put(self, jobs: Sequence[Job]) -> None:
        """Accepts all of the jobs or, with Busy or Stopping, none."""
        with self._changed:
            if self._closed:
                raise Stopping
            self._check_room(len(jobs), min(job.deadline - job.arrived for job in jobs))
            self._waiting.extend(jobs)
            self._add(len(jobs))
            self._changed.notify_all()
        for job in jobs:
            job.outcome.add_done_callback(lambda _: self._answered())

    def check_room(self, patience: float) -> None:
        """Raises what `put` would raise for a single job of so many seconds now, before any work is spent on it."""
        with self._changed:
            if self._closed:
                raise Stopping
            self._check_room(1, patience)

    def take(self) -> list[Job]:
        """The next batch; empty once the queue is closed and all was given out."""
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return []
                self._changed.wait()
            until = self._waiting[0].arrived + self._wait
            while len(self._waiting) < self._batch and not self._closed:
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            return [self._waiting.popleft() for _ in range(min(self._batch, len(self._waiting)))]

    def pace(self, items: int, seconds: float) -> None:
        """Learns from a finished batch how long an item takes."""
        with self._changed:
            known = self._seconds_an_item or seconds / items
            self._seconds_an_item = (1 - _NEWEST) * known + _NEWEST * seconds / items

    def close(self) -> None:
        """Takes nothing new; what was accepted is still given out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def unanswered(self) -> int:
        return self._unanswered

    @property
    def closed(self) -> bool:
        return self._closed

    def _check_room(self, jobs: int, patience: float) -> None:
        # A job that cannot be done in time would only take time from those that can.
        wait = (self._unanswered + jobs) * self._seconds_an_item
        hopeless = self._unanswered > 0 and wait > _SHARE_OF_DEADLINE * patience
        if hopeless or self._unanswered + jobs > self._capacity:
            raise Busy(self._retry_after())

    def _answered(self) -> None:
        with self._changed:
            self._add(-1)
            self._changed.notify_all()

    def _add(self, count: int) -> None:
        self._unanswered += count
        self._watch(self._unanswered)

    def _retry_after(self) -> int:
        return min(_LONGEST_RETRY, max(1, math.ceil(self._unanswered * self._seconds_an_item)))
