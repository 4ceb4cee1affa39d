"""What a run is told beside its config, and what it ends with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controldag.training.checkpoint import Progress
from controldag.training.validate import Validation


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a person says on the command line, apart from the config."""

    folder: Path  # of the run: log, checkpoints, final model
    minutes: float = 0.0  # wall-clock budget of training; 0: none
    stop_after: float = 0.0  # minutes after which this process stops with a checkpoint, to be resumed; 0: never
    device: str = "auto"  # auto, cpu or cuda
    resume: bool = True
    quiet: bool = False
    say: Callable[[str], None] = print
    after: Path | None = None  # the clock starts when this file is there, compiling before
    expect: tuple[int, float] | None = None  # a step, and the most that the loss logged there may be
    save_minutes: float = 2.0  # between two checkpoints: what a kill can lose at most, beside the config's save_every


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run ended with."""

    progress: Progress
    validation: Validation | None  # None where it was stopped before the end
    examples_per_s: float  # of all training steps of this process, validation left out
    peak_gib: float
    device: str  # its name
    torch: str  # its version
