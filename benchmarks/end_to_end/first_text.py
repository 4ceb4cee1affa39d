"""How long a person waits for a first text: from the command line, everything loaded anew."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from controldag.cli.console import Json, out, print_json
from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.run_record import write_result

FILE = Path(__file__).resolve().parents[1] / "results" / "first-text.json"
_COMMAND = "from controldag.cli.main import main; main()"
_ACTS = ["OFFER(restaurant_name=71 Saint Peter)", "OFFER(city=San Jose)"]
ASKED = {
    "--help": ["--help"],
    "sgd-mini": ["generate", "--service", "Restaurants_1", *_ACTS],
    "dart-mini": ["generate", "--model", "dart-mini", "Alan Bean | occupation | astronaut"],
}
"""What is typed, by what the figures are called."""


def bench_first_text(
    times: Annotated[int, typer.Option(min=1, help="How often each command is run.")] = 10,
    save: Annotated[
        bool, typer.Option("--save", help="Keep the figures, with machine and commit, in benchmarks/results.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Time a first text from the command line, in processes of its own: wall clock and processor time."""
    figures = {name: timed(words, times) for name, words in ASKED.items()}
    if save:
        write_result(FILE, figures, {"times": times, "load_before": round(os.getloadavg()[0], 2)})
    if as_json:
        print_json(figures)
        return
    for name, found in figures.items():
        out.print(
            f"{name:10} {found['least_s']:.2f} s at best, {found['median_s']:.2f} s in the middle,"
            f" {found['processor_s']:.2f} s of processor time",
            markup=False,
        )


def timed(words: list[str], times: int) -> dict[str, Any]:
    """Seconds of `controldag` with these words in a new process each time: least and median, and of the processor."""
    seconds, used = [], _children()
    for _ in range(times):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", _COMMAND, *words], capture_output=True, text=True, check=False)
        seconds.append(time.perf_counter() - began)
        if done.returncode:
            raise InvalidInput.of("model", "say a first text", words, remedy=done.stderr.strip())
    processor = (_children() - used) / times
    found = {"least_s": min(seconds), "median_s": statistics.median(seconds), "processor_s": processor}
    return {name: round(value, 3) for name, value in found.items()}


def _children() -> float:
    """Seconds of the processor that all processes started from here have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_text_s(model: str, example: Example, times: int = 3) -> float:
    """Seconds of `controldag generate` in a new process; the least of several runs, the first of which may compile."""
    words = ["generate", "--model", model, "--service", example.service, "--", *written(example)]
    return float(timed(words, times)["least_s"])
