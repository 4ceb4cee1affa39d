"""Runs many random cases and counts what disagrees: `python -m tests.fuzz small --cases 100000`."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from controldag.run_record import circumstances, write_result
from tests.reference.cases import random_case, raw_case
from tests.reference.compare import all_faults
from tests.reference.conflicts import conflict_faults
from tests.reference.ngram_weights import weights_faults

from .heavy import heavy_faults
from .hostile import hostile_faults

CHUNK = 50
Chunk = tuple[str, int, int]
"""The kind of case, the first seed and the one after the last."""
Failure = tuple[int, list[str]]


def small(seed: int) -> list[str]:
    """Engine against path enumeration."""
    case = random_case(seed)
    faults = [*all_faults(case), *weights_faults(case), *conflict_faults(raw_case(seed))]
    return [*faults, str(case)] if faults else []


def large(seed: int) -> list[str]:
    """Engine against pynini."""
    from tests.reference.with_pynini import large_case_faults, random_large_case

    return large_case_faults(random_large_case(seed))


KINDS: dict[str, Callable[[int], list[str]]] = {
    "small": small,
    "large": large,
    "hostile": hostile_faults,
    "heavy": heavy_faults,
}


def run_chunk(job: Chunk) -> list[Failure]:
    """The seeds of a chunk that failed, with what was wrong."""
    kind, first, end = job
    failed = []
    for seed in range(first, end):
        try:
            faults = KINDS[kind](seed)
        except Exception:  # whatever it is, the seed has to be reported
            faults = [traceback.format_exc()]
        if faults:
            failed.append((seed, faults))
    return failed


@dataclass(slots=True)
class Tally:
    """How far a run has come."""

    kind: str
    begin: float
    done: int = 0
    failed: int = 0

    def add(self, job: Chunk, future: Future[list[Failure]]) -> None:
        """Counts one finished chunk and prints its failures."""
        kind, first, end = job
        try:
            failures = future.result()
        except BrokenProcessPool:
            failures = [(first, [f"the process died on one of the seeds {first} to {end - 1}"])]
        self.done += end - first
        self.failed += len(failures)
        for seed, faults in failures:
            print(f"{kind} case {seed} failed:", *faults, sep="\n  ", flush=True)

    def __str__(self) -> str:
        return f"{self.kind}: {self.done:,} cases, {self.failed} failed, {time.monotonic() - self.begin:.0f} s"


def chunks(kind: str, first: int, cases: int, deadline: float) -> Iterator[Chunk]:
    """Jobs until the cases are done or the time is up."""
    for begin in range(first, first + cases, CHUNK):
        if time.monotonic() > deadline:
            return
        yield kind, begin, min(begin + CHUNK, first + cases)


def run(kind: str, jobs: Iterator[Chunk], workers: int) -> Tally:
    """Works through the jobs, a line of progress every ten seconds."""
    tally = Tally(kind, time.monotonic())
    shown = tally.begin
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(run_chunk, job): job for job in islice(jobs, 2 * workers)}
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                tally.add(running.pop(future), future)
            try:
                running |= {pool.submit(run_chunk, job): job for job in islice(jobs, len(finished))}
            except BrokenProcessPool:
                jobs = iter(())
            if time.monotonic() - shown > 10:
                shown = time.monotonic()
                print(f"  {tally}", flush=True)
    print(tally, flush=True)
    return tally


def save(path: Path, kind: str, figures: dict[str, int]) -> None:
    """Puts the figures of one kind into a file that may hold those of others; each has its own date and commit.

    A run that begins where the one before ended, at the same commit, is the same run gone on.
    """
    known = json.loads(path.read_text("utf-8"))["figures"] if path.exists() else {}
    here = circumstances()
    before, own = known.get(kind, {}), {name: here.pop(name) for name in ("date", "commit")}
    if before.get("commit") == own["commit"] and before["first"] + before["cases"] == figures["first"]:
        sums = {name: before[name] + figures[name] for name in ("cases", "failed", "seconds")}
        figures = {"first": before["first"], **sums}
    known[kind] = {**figures, **own}
    write_result(path, dict(sorted(known.items())), {}, measured=here)


def main() -> int:
    """Exit status 1 if any case failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first case")
    parser.add_argument("--minutes", type=float, default=1e6, help="start nothing new after so long")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--out", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    deadline = time.monotonic() + 60 * options.minutes
    tally = run(options.kind, chunks(options.kind, options.first, options.cases, deadline), options.workers)
    if options.out:
        seconds = round(time.monotonic() - tally.begin)
        save(
            options.out,
            options.kind,
            {"first": options.first, "cases": tally.done, "failed": tally.failed, "seconds": seconds},
        )
    return 1 if tally.failed else 0
