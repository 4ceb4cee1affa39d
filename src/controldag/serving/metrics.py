"""What the service counts and times, for Prometheus."""

from __future__ import annotations

import os
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where the environment names a folder, the processes of a service keep their figures in it, and tell all of them."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_ITEMS = (1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """Figures of one service; each has a registry of its own, so that tests and several services do not mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        given = self._registry
        self.requests = Counter(
            "controldag_requests", "Requests by route and status.", ["route", "status"], registry=given
        )
        self.seconds = Histogram(
            "controldag_request_seconds", "Time to answer.", ["route"], buckets=_SECONDS, registry=given
        )
        self.stages = Histogram(
            "controldag_stage_seconds", "Time of an item in a stage.", ["stage"], buckets=_SECONDS, registry=given
        )
        self.items = Counter("controldag_items", "Items by model and outcome.", ["model", "outcome"], registry=given)
        self.rejected = Counter("controldag_rejected", "Requests refused at the door.", ["reason"], registry=given)
        self.infeasible = Counter(
            "controldag_infeasible", "Items whose constraints exclude each other.", registry=given
        )
        self.batches = Histogram(
            "controldag_batch_items", "Items that went through the model together.", buckets=_ITEMS, registry=given
        )
        self.queue = Gauge(
            "controldag_queue_items",
            "Items accepted and not answered yet.",
            ["model"],
            registry=given,
            multiprocess_mode="livesum",
        )
        self.lost_log_lines = Counter("controldag_lost_log_lines", "Lines that the log could not take.", registry=given)

    def observe_stages(self, ms: Mapping[str, float]) -> None:
        """Adds the milliseconds of each stage of an item."""
        for stage, spent in ms.items():
            self.stages.labels(stage).observe(spent / 1000)

    def text(self) -> bytes:
        """All figures in Prometheus' text format, of all processes of the service."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


def forget_process(number: int | None) -> None:
    """What a process that has ended had under way counts no longer."""
    if number is not None:
        multiprocess.mark_process_dead(number)  # type: ignore[no-untyped-call]
