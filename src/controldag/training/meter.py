"""Time and statistics of a training run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import torch
from accelerate import Accelerator
from torch import Tensor, nn

from controldag.training.checkpoint import Progress
from controldag.training.journal import Journal


class Measured(Protocol):
    """What a meter reads of a run, and where it writes how long the run took."""

    accelerator: Accelerator
    device: torch.device
    journal: Journal
    optimiser: torch.optim.AdamW
    per_epoch: int
    progress: Progress
    skipped: Tensor
    wrapped: nn.Module

    def batch_size(self, step: int) -> int: ...


class Meter:
    """Time and statistics of a run. Sums stay on the device until a line is due, so that nothing waits for it."""

    def __init__(self, trainer: Measured) -> None:
        self._trainer = trainer
        self._start = time.perf_counter() - trainer.progress.seconds
        self._sums = torch.zeros(4, device=trainer.device)
        self._since, self._window = time.perf_counter(), 0
        self._rates: list[tuple[float, int]] = []

    @property
    def seconds(self) -> float:
        """Seconds of training so far, earlier processes counted, pauses not."""
        return time.perf_counter() - self._start

    def add(self, statistics: Tensor) -> None:
        """Takes in one step's statistics."""
        self._sums += statistics
        self._window += self._trainer.batch_size(self._trainer.progress.step - 1)

    def paused(self, work: Callable[[], Any]) -> Any:
        """Runs `work` off the clock."""
        self._mark()
        trainer = self._trainer
        trainer.progress = replace(trainer.progress, seconds=self.seconds)
        began = time.perf_counter()
        result = work()
        trainer.wrapped.train()
        away = time.perf_counter() - began
        self._start += away
        self._since = time.perf_counter()
        return result

    def report(self, share: float) -> dict[str, float]:
        """The figures since the last report, to be logged."""
        trainer = self._trainer
        sums = trainer.accelerator.reduce(self._sums, "sum") if trainer.accelerator.num_processes > 1 else self._sums
        cost, positions, wrong, shown = sums.tolist()
        self._sums.zero_()
        seconds, count = self._mark()
        trainer.progress = replace(trainer.progress, seconds=self.seconds)
        figures = {
            "loss": cost / max(1.0, positions),
            "wrong": wrong / max(1.0, positions),
            "revealed": shown / max(1.0, positions),
            "learning_rate": trainer.optimiser.param_groups[0]["lr"],
            "epoch": trainer.progress.step / trainer.per_epoch,
            "share": share,
            "seconds": self.seconds,
            "examples_per_s": count / max(1e-9, seconds),
            "examples": count,
            "skipped": int(trainer.skipped),
        }
        trainer.skipped.zero_()
        trainer.journal.line(trainer.progress.step, figures)
        return figures

    def finish(self) -> float:
        """Examples per second over the run, its first (compiling) window left out where there are several."""
        self._mark()
        trainer = self._trainer
        trainer.progress = replace(trainer.progress, seconds=self.seconds)
        rates = self._rates[1:] or self._rates
        return sum(count for _, count in rates) / max(1e-9, sum(seconds for seconds, _ in rates))

    def _mark(self) -> tuple[float, int]:
        if self._trainer.device.type == "cuda":
            torch.cuda.synchronize()
        now = time.perf_counter()
        window = now - self._since, self._window
        if self._window:
            self._rates.append(window)
        self._since, self._window = now, 0
        return window
