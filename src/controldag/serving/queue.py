"""A bounded queue of jobs that gives them out in batches, waiting a bounded time for company, each client in turn."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush

from controldag.serving.faults import Busy, Stopping
from controldag.serving.jobs import Job
from controldag.serving.shares import Shares

# How much the newest batch counts in the running mean of seconds an item.
_NEWEST = 0.2
_LONGEST_RETRY = 30
# Of its deadline that a job may be expected to wait: the pace is a guess, and the answer has to get out as well.
_SHARE_OF_DEADLINE = 0.5
# Items by which a client may be ahead of the others and still have some in their batch: all wait for all of a batch.
_LEAD = 4


class JobQueue:
    """Jobs that were accepted and are not answered yet; the client's that had the least time go first, oldest first."""

    def __init__(self, capacity: int, batch: int, wait_seconds: float, watch: Callable[[int], None]) -> None:
        """`watch` is told how many jobs there are whenever that changes."""
        self._capacity = capacity
        self._batch = batch
        self._wait = wait_seconds
        self._watch = watch
        self._waiting: dict[str, deque[Job]] = {}  # by client, those that have any
        self._unanswered: Counter[str] = Counter()  # by client
        self._shares = Shares()
        self._closed = False
        self._seconds_an_item = 0.0
        self._changed = threading.Condition()

    def put(self, jobs: Sequence[Job]) -> None:
        """Accepts all of the jobs, which are one client's, or, with Busy or Stopping, none."""
        client = jobs[0].client
        with self._changed:
            if self._closed:
                raise Stopping
            self._check_room(client, len(jobs), min(job.deadline - job.arrived for job in jobs))
            self._waiting.setdefault(client, deque()).extend(jobs)
            self._add(client, len(jobs))
            self._changed.notify_all()
        for job in jobs:
            job.outcome.add_done_callback(lambda _: self._answered(client))

    def check_room(self, client: str, patience: float) -> None:
        """Raises what `put` would raise for a single job of so many seconds now, before any work is spent on it."""
        with self._changed:
            if self._closed:
                raise Stopping
            self._check_room(client, 1, patience)

    def take(self) -> list[Job]:
        """The next batch; empty once the queue is closed and all was given out."""
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return []
                self._changed.wait()
            until = min(jobs[0].arrived for jobs in self._waiting.values()) + self._wait
            while sum(map(len, self._waiting.values())) < self._batch and not self._closed:
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            return self._drawn()

    def charge(self, client: str, seconds: float) -> None:
        """Notes what was spent on the client: others have their turn before it has it again."""
        with self._changed:
            self._shares.charge(client, seconds)

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
        return self._unanswered.total()

    @property
    def closed(self) -> bool:
        return self._closed

    def _drawn(self) -> list[Job]:
        """Jobs in turn, by what their clients had and what those drawn before them will take.

        Where others wait, one job of a client that asks for more than its input: its search may take its whole share.
        """
        turns = [(self._shares.had(client), place, client) for place, client in enumerate(self._waiting)]
        heapify(turns)
        alone = len(turns) == 1
        latest = turns[0][0] + _LEAD * self._seconds_an_item
        self._shares.serve(turns[0][2])
        drawn: list[Job] = []
        searching: set[str] = set()  # clients with such a job
        while turns and len(drawn) < self._batch and (alone or turns[0][0] <= latest):
            had, place, client = heappop(turns)
            if self._waiting[client][0].unusual and not alone:
                if client in searching:
                    continue
                searching.add(client)
            drawn.append(self._waiting[client].popleft())
            if self._waiting[client]:
                heappush(turns, (had + self._seconds_an_item, place, client))
            else:
                del self._waiting[client]
        return drawn

    def _check_room(self, client: str, jobs: int, patience: float) -> None:
        own, all_ = self._unanswered[client] + jobs, self._unanswered.total() + jobs
        # Others have as many turns as this client before its last job; what they have beyond that comes later.
        before = own + sum(min(own, count) for each, count in self._unanswered.items() if each != client)
        # A job that cannot be done in time would only take time from those that can.
        hopeless = all_ > jobs and before * self._seconds_an_item > _SHARE_OF_DEADLINE * patience
        # Who has jobs here already leaves a quarter of the places to others.
        greedy = own > jobs and own > self._capacity - self._capacity // 4
        if hopeless or greedy or all_ > self._capacity:
            raise Busy(self._retry_after(before - jobs), jobs)

    def _answered(self, client: str) -> None:
        with self._changed:
            self._add(client, -1)
            self._changed.notify_all()

    def _add(self, client: str, count: int) -> None:
        self._unanswered[client] += count
        if not self._unanswered[client]:
            del self._unanswered[client]
        self._watch(self._unanswered.total())

    def _retry_after(self, jobs: int) -> int:
        return min(_LONGEST_RETRY, max(1, math.ceil(jobs * self._seconds_an_item)))
