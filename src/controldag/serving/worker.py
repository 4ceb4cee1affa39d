"""The threads of one model: one takes batches through the model, others search each item's graph, one the slow ones."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from controldag.errors import ControlDagError, Infeasible, InvalidInput, SearchTooLong
from controldag.generation.reading import Prepared
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.search.exact import Limits
from controldag.serving.faults import Busy, InternalFault, too_late
from controldag.serving.jobs import Job, Outcome
from controldag.serving.logs import JsonLog
from controldag.serving.options import ServiceOptions
from controldag.serving.queue import JobQueue
from controldag.serving.slow_lane import Search, SlowLane

T = TypeVar("T")
# Seconds after which a client whose slow searches found no room may try again.
_RETRY_SLOW = 5


class Worker:
    """Serves the jobs of its queue until it is closed; an error of one job leaves the others alone."""

    def __init__(self, model: ControlDag, options: ServiceOptions, log: JsonLog) -> None:
        self.model = model
        self.name = model.checkpoint.name
        self.talks = model.predictor.autoregressive
        model.limits = Limits(
            max_states=options.limits.engine_states,
            max_bytes=options.limits.engine_bytes,
            max_seconds=options.deadline_ms / 2000,
        )
        gauge = log.metrics.queue.labels(self.name)
        self.queue = JobQueue(options.queue, options.batch, options.wait_ms / 1000, gauge.set)
        self._metrics = log.metrics
        self._log = log
        self._searchers = ThreadPoolExecutor(options.threads, thread_name_prefix=f"search-{self.name}")
        self._slow = SlowLane(self._searched, self.name)
        self._thread = threading.Thread(target=self._run, name=f"model-{self.name}", daemon=True)

    def start(self) -> None:
        self._slow.start()
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether it takes jobs and serves them."""
        return self._thread.is_alive() and not self.queue.closed

    def close(self) -> None:
        """Finishes what was accepted, then ends its threads."""
        self.queue.close()
        if self._thread.ident is not None:
            self._thread.join()
        self._searchers.shutdown()
        self._slow.close()

    def _run(self) -> None:
        searching: list[Future[None]] = []
        while jobs := self.queue.take():
            begin = time.monotonic()
            begun = [job for job in jobs if self._begin(job)]
            if not begun:
                continue
            self._metrics.batches.observe(len(begun))
            # One batch is searched while the next one is in the model, and no more: later jobs wait in the queue,
            # where they can be given up. Searches that take long do so in the slow lane, and are not waited for.
            wait(searching)
            under_way = self._guarded(partial(self._serve, begun))
            if isinstance(under_way, ControlDagError):
                for job in begun:
                    self._answer(job, under_way)
                continue
            searching = under_way
            self.queue.pace(len(begun), time.monotonic() - begin)

    def _begin(self, job: Job) -> bool:
        """Whether anybody still waits for the job; too late a job is told so."""
        if not job.outcome.set_running_or_notify_cancel():
            return False
        now = time.monotonic()
        self._metrics.observe_stages({"queue": 1000 * (now - job.arrived)})
        if now >= job.deadline:
            job.outcome.set_result(too_late(1000 * (job.deadline - job.arrived)))
            return False
        return True

    def _serve(self, jobs: Sequence[Job]) -> list[Future[None]]:
        """Takes the jobs through the model, and says which searches are still under way."""
        if self.talks:
            self._say(jobs)
            return []
        ready: list[tuple[Job, Prepared]] = []
        for job in jobs:
            item = self._guarded(partial(self.model.prepare, job.request))
            if not isinstance(item, Prepared):
                self._answer(job, item)
                continue
            # What is looked at is shown with its graph.
            said = self._guarded(partial(self.model.at_once, item)) if job.view is None else None
            if said is None:
                ready.append((job, item))
            else:
                self._answer(job, said)
        searching = []
        for places in self.model.predictor.batches([item.source for _, item in ready]):
            members = [ready[place] for place in places]
            dags = self._guarded(partial(self.model.predict, [item for _, item in members]))
            if isinstance(dags, ControlDagError):
                for job, _ in members:
                    self._answer(job, dags)
                continue
            for (job, item), dag in zip(members, dags, strict=True):
                self.queue.charge(job.client, item.watch.ms["forward"] / 1000)
                searching.append(self._searchers.submit(self._search, Search.first(job, item, dag)))
        return searching

    def _search(self, search: Search) -> None:
        """Answers the job, or leaves it to the slow lane; at once where its client has such searches there already."""
        job = search.job
        later: Search | None = search
        if not (job.unusual and self._slow.holds(job.client)):
            begin = time.thread_time()
            later = self._searched(search)
            self.queue.charge(job.client, time.thread_time() - begin)
        if later is not None and not self._slow.put(later):
            self._answer(job, Busy(_RETRY_SLOW))

    def _searched(self, search: Search) -> Search | None:
        """Answers the job; where its search outlasts its share, gives it back with a longer one."""
        job, item, dag = search.job, search.item, search.dag
        if time.monotonic() >= job.deadline:
            self._answer(job, too_late(1000 * (job.deadline - job.arrived)))
            return None
        # Nobody waits for what comes after the deadline, and others wait for this thread.
        until = search.until
        found = self._guarded(partial(self.model.decode, item, dag, replace(self.model.limits, until=until)))
        now = time.monotonic()
        late = now >= job.deadline
        if now >= until and not late and _broken_off(found):
            return search.longer()
        outcome: Outcome = self._guarded(partial(self.model.settle, item, dag, found))
        if job.view is not None and isinstance(outcome, Result):
            outcome = self._guarded(partial(self.model.inspection_of, item, dag, outcome, job.view, found))
        if isinstance(outcome, SearchTooLong) and late:
            outcome = too_late(1000 * (job.deadline - job.arrived))
        self._answer(job, outcome)
        return None

    def _say(self, jobs: Sequence[Job]) -> None:
        """Lets an autoregressive model answer."""
        talking = []
        for job in jobs:
            if job.view is not None:
                self._answer(job, InvalidInput.of("model", "predict a graph", self.name, remedy="Ask a DA-T5."))
            else:
                talking.append(job)
        results = self._guarded(partial(self.model.generate_batch, [job.request for job in talking]))
        for place, job in enumerate(talking):
            self._answer(job, results if isinstance(results, ControlDagError) else results[place])

    def _answer(self, job: Job, outcome: Outcome) -> None:
        with suppress(InvalidStateError):  # a fault of ours may have answered it already
            job.outcome.set_result(outcome)

    def _guarded(self, action: Callable[[], T]) -> T | ControlDagError:
        """What the action gives, or the error it met; a bug is logged and becomes InternalFault."""
        try:
            return action()
        except ControlDagError as error:
            return error
        except Exception as error:
            self._log.fault(error)
            return InternalFault("An internal error.")


def _broken_off(found: Result | ControlDagError) -> bool:
    """Whether more time could give another answer."""
    return isinstance(found, SearchTooLong) or (isinstance(found, Infeasible) and not found.minimised)
