"""How much the service bears: throughput and latency by clients, soaks at several times saturation and under abuse."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.serving.abusive_load import AbusiveClient
from benchmarks.serving.served_process import ServedProcess, served_process
from benchmarks.serving.serving_load import Question, Tally, closed_load, open_load, questions

MODES = {"batched": (), "one by one": ("--batch", "1", "--wait-ms", "0")}
_WARM_SECONDS = 3.0
_SATURATING_CLIENTS = 64
_TIMES_SATURATION = 3.0
_HONEST = 9
# The service's deadline: by then all that it accepted is answered.
_RECOVERY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class LoadFigures:
    """One measurement: a mode, a number of clients, and what came of it."""

    mode: str
    clients: int
    per_second: float
    p50_ms: float
    p99_ms: float
    outcomes: dict[str, int]


def bench_clients(model: str, clients: Sequence[int], seconds: float) -> list[LoadFigures]:
    """Every number of clients against the service with micro-batches and without, a fresh process each mode."""
    asked = questions(model)
    cells = []
    for mode, options in MODES.items():
        with served_process("--model", model, *options) as served:
            closed_load(served.url, asked, 4, _WARM_SECONDS)
            for number in clients:
                tally = closed_load(served.url, asked, number, seconds)
                cells.append(_cell(mode, number, tally))
    return cells


def _cell(mode: str, clients: int, tally: Tally) -> LoadFigures:
    return LoadFigures(
        mode, clients, tally.per_second, tally.percentile(0.5), tally.percentile(0.99), dict(tally.outcomes)
    )


@dataclass(frozen=True, slots=True)
class Soak:
    """What a soak found.

    saturation: good answers a second at most. offered: requests a second that were sent during the soak.
    memory_mib: of the service after each tenth. recovery_seconds: from the end of the load, when what was accepted is
    yet to be answered, to an answer in the time of an idle service.
    """

    saturation: float
    offered: float
    minutes: float
    outcomes: dict[str, int]
    p50_ms: float
    p99_ms: float
    memory_mib: list[float]
    recovery_seconds: float

    @property
    def faults(self) -> list[str]:
        """What must not be: wrong or broken answers, late ones, memory that grows, a service that stays slow."""
        found = [f"{self.outcomes[name]} {name}" for name in ("wrong", "broken", "late") if self.outcomes.get(name)]
        if not self.outcomes.get("busy"):
            found.append("nothing was refused: the load did not saturate")
        if self.offered < 0.9 * _TIMES_SATURATION * self.saturation:
            found.append(f"the load fell behind: {self.offered / self.saturation:.1f} times saturation was sent")
        # The first tenths fill pools and caches.
        early, last = max(self.memory_mib[:4]), self.memory_mib[-1]
        if last > 1.1 * early + 50:
            found.append(f"memory grew from {early:.0f} to {last:.0f} MiB")
        if self.recovery_seconds > _RECOVERY_SECONDS:
            found.append(f"recovery took {self.recovery_seconds:.1f} s")
        return found


def soak(model: str, minutes: float, seconds: float, tell: Callable[[str], None] = lambda phase: None) -> Soak:
    """Finds saturation (in `seconds`), then offers three times as much for so many minutes, and looks what happens.

    `tell` hears what is being done. Each phase ends by itself; all but the load take less than five minutes together.
    """
    asked = questions(model)
    tell("starting a service")
    with served_process("--model", model) as served:
        tell(f"looking for saturation with {_SATURATING_CLIENTS} clients: {seconds:g} s")
        closed_load(served.url, asked, 4, _WARM_SECONDS)
        idle = closed_load(served.url, asked, 1, _WARM_SECONDS).percentile(0.99) / 1000
        saturation = closed_load(served.url, asked, _SATURATING_CLIENTS, seconds).per_second
        rate, load = _TIMES_SATURATION * saturation, 60 * minutes
        tell(f"it answers {saturation:.1f} a second; sending {rate:.1f} a second for {load:g} s")
        with _MemoryWatch(served, load / 10, tell) as memory:
            tally = open_load(served.url, asked, rate, load)
        tell("all answered or given up; waiting for an answer as quick as before")
        recovery = max(0.0, tally.wall - load) + _recovery(served.url, asked, 2 * idle)
    outcomes = dict(tally.outcomes)
    offered = rate - tally.outcomes["unsent"] / load
    figures = (tally.percentile(0.5), tally.percentile(0.99))
    return Soak(saturation, offered, minutes, outcomes, *figures, memory.mib, recovery)


def _recovery(url: str, asked: Sequence[Question], limit: float) -> float:
    begin = time.perf_counter()
    while time.perf_counter() - begin < 60:
        tally = closed_load(url, asked[:1], 1, 0.0)
        if tally.seconds and tally.seconds[0] <= limit:
            break
    return time.perf_counter() - begin


@dataclass(frozen=True, slots=True)
class AbuseSoak:
    """What one abusive client in ten does to the others.

    alone, beside: good answers a second, and the milliseconds of half and of 99 % of them, of the nine honest clients
    without and with it. outcomes: of their requests beside it. told: what each kind of abuse was answered with.
    memory_mib: of the service after each tenth of the minutes beside it.
    """

    minutes: float
    alone: dict[str, float]
    beside: dict[str, float]
    outcomes: dict[str, int]
    told: dict[str, int]
    memory_mib: list[float]

    @property
    def faults(self) -> list[str]:
        """What must not be: honest clients that wait more than twice as long, or get no answer; memory that grows."""
        found = [f"{count} {name}" for name, count in self.outcomes.items() if name != "ok"]
        if self.beside["p99_ms"] > 2 * self.alone["p99_ms"]:
            found.append(f"p99 rose from {self.alone['p99_ms']:.0f} to {self.beside['p99_ms']:.0f} ms")
        early, last = max(self.memory_mib[:4]), self.memory_mib[-1]
        if last > 1.2 * early:
            found.append(f"memory grew from {early:.0f} to {last:.0f} MiB")
        return found


def soak_beside_abuse(
    model: str, minutes: float, seconds: float, tell: Callable[[str], None] = lambda phase: None
) -> AbuseSoak:
    """Nine honest clients alone for so many seconds, then beside an abusive one for so many minutes."""
    asked = questions(model)
    tell("starting a service")
    with served_process("--model", model) as served:
        closed_load(served.url, asked, 4, _WARM_SECONDS)
        tell(f"{_HONEST} honest clients alone: {seconds:g} s")
        alone = closed_load(served.url, asked, _HONEST, seconds)
        tell(f"the same beside an abusive one: {60 * minutes:g} s")
        abuser = AbusiveClient(served.url, asked[0])
        with _MemoryWatch(served, 6 * minutes, tell) as memory:
            beside = closed_load(served.url, asked, _HONEST, 60 * minutes, abuser.run)
    figures = (_figures(alone), _figures(beside))
    return AbuseSoak(minutes, *figures, dict(beside.outcomes), dict(sorted(abuser.told.items())), memory.mib)


def _figures(tally: Tally) -> dict[str, float]:
    return {"per_second": tally.per_second, "p50_ms": tally.percentile(0.5), "p99_ms": tally.percentile(0.99)}


class _MemoryWatch:
    """The resident memory of a service, noted again and again until the block ends."""

    def __init__(self, served: ServedProcess, every: float, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._process = Path("/proc", str(served.process.pid))
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.mib: list[float] = []

    def __enter__(self) -> _MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()
        self._note()

    def _run(self) -> None:
        while not self._over.wait(self._every):
            self._note()
            self._tell(f"{len(self.mib) * self._every:.0f} s of load: the service takes {self.mib[-1]:.0f} MiB")

    def _note(self) -> None:
        children = (self._process / "task" / self._process.name / "children").read_text("utf-8").split()
        all_ = [self._process, *(Path("/proc", each) for each in children)]
        self.mib.append(round(sum(map(_resident_kib, all_)) / 1024, 1))


def _resident_kib(process: Path) -> int:
    lines = (process / "status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
