"""The service behind the routes: from items to outcomes, within limits, in batches, in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from controldag.errors import ControlDagError, Infeasible, InvalidInput
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.inspection.inspection import Inspection
from controldag.inspection.view import View
from controldag.pipeline import ControlDag
from controldag.serving.faults import Refused, Stopping, too_late
from controldag.serving.item_limits import request_within
from controldag.serving.jobs import Job, Outcome
from controldag.serving.logs import JsonLog
from controldag.serving.options import ServiceLimits, ServiceOptions
from controldag.serving.schemas import Item
from controldag.serving.worker import Worker

# After so many, no further pattern of a request is read: a sensible one takes a millisecond.
_READING_SECONDS = 0.5


class Service:
    """Models that answer; the first is the default. `start` before use, `close` to finish what was accepted."""

    def __init__(self, models: Sequence[ControlDag], options: ServiceOptions, log: JsonLog) -> None:
        if not models:
            raise InvalidInput.of("models", "not be empty", [])
        self.options = options
        self.metrics = log.metrics
        self.log = log
        self.workers: dict[str, Worker] = {}
        self._models = tuple(models)
        names = [model.checkpoint.name for model in models]
        if len(set(names)) != len(names):
            raise InvalidInput.of("models", "have different names", names)

    def start(self) -> None:
        """Makes the threads; a service that was closed can be started again."""
        # Never on the event loop; and patterns may take their time to compile, for which others do not wait.
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="read")
        self._pattern_readers = ThreadPoolExecutor(1, thread_name_prefix="read-patterns")
        workers = [Worker(model, self.options, self.log) for model in self._models]
        self.workers = {worker.name: worker for worker in workers}
        for worker in workers:
            worker.start()

    def close(self) -> None:
        """Returns once everything accepted is answered."""
        for worker in self.workers.values():
            worker.close()
        self._readers.shutdown()
        self._pattern_readers.shutdown()

    @property
    def ready(self) -> bool:
        return bool(self.workers) and all(worker.alive for worker in self.workers.values())

    def worker(self, name: str) -> Worker:
        """The worker of the model of that name, or the default one; 404 where there is none."""
        if not self.workers:
            raise Stopping
        if name and name not in self.workers:
            raise Refused(404, "There is no such model.", remedy="GET /v1/models names them.")
        return self.workers[name] if name else next(iter(self.workers.values()))

    def check_room(self, client: str) -> None:
        """Raises Busy or Stopping where no model could take a request of one item, whatever it says."""
        if not self.workers:
            raise Stopping
        refusals = []
        for worker in self.workers.values():
            try:
                worker.queue.check_room(client, self.options.deadline_ms / 1000)
            except Refused as refusal:
                refusals.append(refusal)
        if len(refusals) == len(self.workers):
            raise refusals[0]

    async def outcomes(
        self,
        worker: Worker,
        items: Sequence[Item],
        *,
        client: str,
        deadline_ms: int | None,
        view: View | None = None,
    ) -> list[Outcome]:
        """By item, in order: its result (with `view`: its inspection) or its error. Busy where there is no room."""
        arrived = time.monotonic()
        allowed = min(deadline_ms or self.options.deadline_ms, self.options.deadline_ms)
        worker.queue.check_room(client, allowed / 1000)
        loop = asyncio.get_running_loop()
        readers = self._pattern_readers if any(item.pattern for item in items) else self._readers
        read = await loop.run_in_executor(readers, partial(_read, items, self.options.limits))
        jobs = {
            place: Job(request, arrived + allowed / 1000, view, client)
            for place, request in enumerate(read)
            if isinstance(request, Request)
        }
        if jobs:
            worker.queue.put(list(jobs.values()))
        outcomes: list[Outcome] = [too_late(allowed) if isinstance(each, Request) else each for each in read]
        for place, outcome in (await _gather(jobs, arrived + allowed / 1000)).items():
            outcomes[place] = outcome
        for outcome in outcomes:
            self._count(worker, outcome)
        return outcomes

    def _count(self, worker: Worker, outcome: Outcome) -> None:
        result = outcome.result if isinstance(outcome, Inspection) else outcome
        name = "ok" if isinstance(result, Result) else type(result).__name__
        self.metrics.items.labels(worker.name, name).inc()
        if isinstance(result, Result):
            self.metrics.observe_stages(result.ms)
        elif isinstance(result, Infeasible):
            self.metrics.infeasible.inc()


async def _gather(jobs: dict[int, Job], deadline: float) -> dict[int, Outcome]:
    """What is done by the deadline; the rest is given up."""
    if not jobs:
        return {}
    waiting = {asyncio.wrap_future(job.outcome): place for place, job in jobs.items()}
    try:
        done, _ = await asyncio.wait(waiting, timeout=max(0.0, deadline - time.monotonic()))
    finally:
        for job in jobs.values():
            job.outcome.cancel()
    return {waiting[each]: each.result() for each in done if not each.cancelled()}


def _read(items: Sequence[Item], limits: ServiceLimits) -> list[Request | ControlDagError]:
    read: list[Request | ControlDagError] = []
    until = time.monotonic() + _READING_SECONDS
    for item in items:
        try:
            if item.pattern and time.monotonic() > until:
                raise _too_many_patterns()
            read.append(request_within(item, limits))
        except ControlDagError as error:
            read.append(error)
    return read


def _too_many_patterns() -> InvalidInput:
    return InvalidInput("The patterns of the request took too long to read.", remedy="Send several requests.")
