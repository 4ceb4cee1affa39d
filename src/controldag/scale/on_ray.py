"""A file of JSON lines said on a Ray cluster: Ray Data hands out its parts, and finished ones are kept on disk."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import ray
import ray.data
from ray.exceptions import RayError

from controldag.errors import ControlDagError, InvalidInput
from controldag.pipeline import ControlDag
from controldag.scale.job import FileJob
from controldag.scale.part_folder import PartFolder
from controldag.scale.parts import Part, divide
from controldag.scale.records import records
from controldag.scale.say_part import say_part

LOCAL = "local"
# Only places of parts and counts travel through Ray's store.
_STORE_BYTES = 100 << 20
_PATIENCE_SECONDS = 10

Progress = Callable[[int, int, int], None]
"""Told how many lines are done, of how many, and how many of them are errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """address: of a Ray cluster, or `local` for one of this machine that lives as long as the run.

    workers: processes, each with a model of its own; 0: as many as fit. worker_cpus: cores of each of them.
    """

    address: str = LOCAL
    workers: int = 0
    worker_cpus: int = 1

    def __post_init__(self) -> None:
        if self.workers < 0 or self.worker_cpus < 1:
            raise InvalidInput.of("workers", "be at least 1, and so their cores", (self.workers, self.worker_cpus))


def generate_on_ray(job: FileJob, cluster: Cluster, progress: Progress) -> Counter[str]:
    """Says all lines into `job.out` and returns how many there are (`lines`) and how many are `errors`.

    What an earlier run that was killed has finished is not said again.
    """
    division = divide(job.source, job.part)
    folder = PartFolder(job.out)
    with folder.held(job.settings(division.sha256)):
        missing = folder.missing(division.parts)
        counts: Counter[str] = Counter()
        for part in set(division.parts) - set(missing):
            counts.update(folder.counts(part))
        if missing:
            with _connected(cluster):
                for found in _said(job, folder.path, missing, cluster):
                    counts.update(found)
                    progress(counts["lines"], division.lines, counts["errors"])
        if lost := folder.missing(division.parts):
            raise ControlDagError(f"{len(lost):,} parts were not said.", remedy="Run it again: it goes on from here.")
        folder.merge(division.parts)
    return counts


class Worker:
    """A process of the cluster: it loads the model once and says the parts it is given."""

    def __init__(self, job: FileJob, folder: Path, cpus: int) -> None:
        self._job = job
        self._folder = folder
        self._model = ControlDag.from_choice(job.model)
        self._model.threads = cpus

    def __call__(self, batch: dict[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
        """`batch` has the fields of one part; back come its counts."""
        part = Part(**{name: int(values[0]) for name, values in batch.items()})
        found = say_part(partial(records, self._model), self._job, part, self._folder)
        return {name: np.array([count]) for name, count in found.items()}


def _said(job: FileJob, folder: Path, parts: Sequence[Part], cluster: Cluster) -> Iterator[dict[str, int]]:
    """The counts of each part as it is finished, in any order."""
    gpus = 1 if job.model.device.startswith("cuda") else 0
    workers = min(_workers(cluster, gpus), len(parts))
    # A part is a block, so that it is also what Ray tries again when a worker dies.
    dataset = ray.data.from_items([asdict(part) for part in parts], override_num_blocks=len(parts)).map_batches(
        Worker,
        batch_size=1,
        fn_constructor_args=(job, folder, cluster.worker_cpus),
        # No part waits behind another at a worker while a second worker is idle.
        compute=ray.data.ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=1),
        num_cpus=cluster.worker_cpus,
        num_gpus=gpus,
    )
    try:
        for batch in dataset.iter_batches(batch_size=None, prefetch_batches=0):
            for lines, errors in zip(batch["lines"], batch["errors"], strict=True):
                yield {"lines": int(lines), "errors": int(errors)}
    except RayError as error:
        reason = str(error).strip().splitlines()[-1]
        raise ControlDagError(f"A worker failed: {reason}", remedy="Run it again: it goes on from here.") from error


def _workers(cluster: Cluster, gpus: int) -> int:
    """How many workers there will be; InvalidInput where the cluster has no room for them."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    places = int(resources.get("CPU", 0) // cluster.worker_cpus)
    if gpus:
        places = min(places, int(resources.get("GPU", 0) // gpus))
    # Ray would wait for more machines, silently and for ever.
    if places < max(1, cluster.workers):
        have = f"{resources.get('CPU', 0):g} cores and {resources.get('GPU', 0):g} GPUs"
        raise InvalidInput.of("workers", f"fit into the cluster ({have})", cluster.workers, remedy="Ask for fewer.")
    return cluster.workers or places


@contextmanager
def _connected(cluster: Cluster) -> Iterator[None]:
    """Within the block Ray is there; what it prints goes to standard error, as remarks do."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    logging.getLogger("ray").setLevel(logging.ERROR)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if cluster.address == LOCAL:
        cores = max(os.cpu_count() or 1, cluster.workers * cluster.worker_cpus)
        options |= {"num_cpus": cores, "object_store_memory": _STORE_BYTES, "include_dashboard": False}
    else:
        _check_answers(cluster.address)
    with redirect_stdout(sys.stderr):
        try:
            ray.init(address=cluster.address, **options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InvalidInput.of("ray", f"be a cluster that answers ({error})", cluster.address) from error
        try:
            ray.data.DataContext.get_current().enable_progress_bars = False
            logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # errors are told by what we raise
            yield
        finally:
            ray.shutdown()


def _check_answers(address: str) -> None:
    """InvalidInput where nothing listens there: Ray itself would try for minutes."""
    if address == "auto":  # Ray knows of a cluster on this machine, or says at once that there is none
        return
    host, _, port = address.rpartition(":")
    rule = "be `local`, `auto` or HOST:PORT of a cluster that this machine belongs to"
    if not host or not port.isdecimal() or "/" in address:
        raise InvalidInput.of("ray", rule, address)
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise InvalidInput.of("ray", f"{rule} ({error})", address) from error
