"""Searches that outlast their share of time: one thread, so that all others go on, and in it a fair turn for each."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from controldag.dag import Dag
from controldag.generation.reading import Prepared
from controldag.serving.heap import give_back
from controldag.serving.jobs import Job
from controldag.serving.shares import Shares

FIRST_SHARE = 0.5
"""Seconds of a first search: far more than one takes that asks for nothing unusual, on a busy machine too."""
UNUSUAL_SHARE = 0.1
"""Seconds of a first search that asks for more than its input: honest requests wait for it, and most need less."""
_LONGER = 4
_PLACES = 16
_PLACES_OF_A_CLIENT = 8
# The forward pass, which everybody waits for, goes before.
_NICENESS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A job whose graph is there, and the seconds that its next search may take."""

    job: Job
    item: Prepared
    dag: Dag
    share: float = FIRST_SHARE

    @property
    def until(self) -> float:
        """When the search that begins now is broken off."""
        return min(self.job.deadline, time.monotonic() + self.share)

    @classmethod
    def first(cls, job: Job, item: Prepared, dag: Dag) -> Search:
        """The first search of a job, which others wait for."""
        return cls(job, item, dag, UNUSUAL_SHARE if job.unusual else FIRST_SHARE)

    def longer(self) -> Search:
        """The same once more: what was broken off begins anew, with so much more time that little was lost."""
        return replace(self, share=_LONGER * self.share)


class SlowLane:
    """The searches wait here for their turns; it is the client's that had the least time here, its shortest first."""

    def __init__(self, run: Callable[[Search], Search | None], name: str) -> None:
        """`run` searches: it answers the job and gives None, or gives what is to be searched later."""
        self._run = run
        self._waiting: list[Search] = []
        self._of_client: Counter[str] = Counter()  # waiting, or in its turn
        self._shares = Shares()
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._turns, name=f"slow-{name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Ends once all that is in it is answered."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()

    def put(self, search: Search) -> bool:
        """Whether there is room: neither the lane nor the client's part of it is full."""
        with self._changed:
            if self._of_client.total() >= _PLACES or self._of_client[search.job.client] >= _PLACES_OF_A_CLIENT:
                return False
            self._of_client[search.job.client] += 1
            self._waiting.append(search)
            self._changed.notify_all()
            return True

    def holds(self, client: str) -> bool:
        """Whether a search of this client is here."""
        return client in self._of_client

    def _turns(self) -> None:
        _give_way()
        while (search := self._next()) is not None:
            begin = time.thread_time()
            again = self._run(search)
            give_back()
            with self._changed:
                self._shares.charge(search.job.client, time.thread_time() - begin)
                if again is not None:
                    self._waiting.append(again)
                else:
                    self._leave(search.job.client)

    def _next(self) -> Search | None:
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            search = min(self._waiting, key=lambda each: (self._shares.had(each.job.client), each.share))
            self._waiting.remove(search)
            self._shares.serve(search.job.client)
            return search

    def _leave(self, client: str) -> None:
        self._of_client[client] -= 1
        if not self._of_client[client]:
            del self._of_client[client]


def _give_way() -> None:
    """Lowers the priority of this thread, where threads have one of their own."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
