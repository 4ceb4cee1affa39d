"""What a run writes down: a line of JSON per report, TensorBoard curves, a progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controldag.training.run_options import RunOptions
from controldag.training.validate import Validation

Bar = Callable[[int, dict[str, float]], None]


class Journal:
    """`log.jsonl` and TensorBoard events in the run's folder; writes nothing where it is not enabled."""

    def __init__(self, folder: Path, *, enabled: bool) -> None:
        self._path = folder / "log.jsonl"
        self._enabled = enabled
        self._writer: Any = None
        if enabled:
            folder.mkdir(parents=True, exist_ok=True)
            self._writer = _tensorboard(folder)

    def line(self, step: int, figures: dict[str, float]) -> None:
        """Appends one report."""
        if not self._enabled:
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, **figures}) + "\n")
        for name, value in figures.items():
            if self._writer is not None:
                self._writer.add_scalar(f"train/{name}", value, step)

    def validation(self, step: int, found: Validation) -> None:
        """Appends the scores of a validation."""
        if not self._enabled:
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, "validation": found.scores}) + "\n")
        for decoder, scores in found.scores.items():
            for name, value in scores.items():
                if self._writer is not None:
                    self._writer.add_scalar(f"dev/{decoder}/{name}", value, step)
        if self._writer is not None:
            self._writer.flush()

    def rewind(self, step: int) -> None:
        """Drops the lines after `step`: a resumed run writes them again."""
        if not self._enabled or not self._path.is_file():
            return
        lines = self._path.read_text("utf-8").splitlines()
        kept = [line for line in lines if _step_of(line) <= step]
        self._path.write_text("".join(line + "\n" for line in kept), "utf-8")

    @contextmanager
    def bar(self, total: int, run: RunOptions) -> Iterator[Bar]:
        """A function to call with each report: it moves a bar on a terminal and prints a line elsewhere."""
        if not self._enabled or run.quiet:
            yield lambda step, figures: None
            return
        try:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            console = Console(stderr=True)
        except ImportError:
            console = None
        if console is None or not console.is_terminal:
            yield lambda step, figures: run.say(f"step {step:6d}  {_brief(figures)}")
            return
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console) as shown:
            task = shown.add_task("training", total=1.0)

            def move(step: int, figures: dict[str, float]) -> None:
                shown.update(task, completed=figures["share"], description=f"step {step}/{total} {_brief(figures)}")

            yield move


def _brief(figures: dict[str, float]) -> str:
    return (
        f"epoch {figures['epoch']:6.2f}  loss {figures['loss']:7.4f}  wrong {figures['wrong']:5.3f}  "
        f"lr {figures['learning_rate']:.2e}  {figures['examples_per_s']:8.0f} examples/s  "
        f"{100 * figures['share']:5.1f} %  {figures['seconds']:6.0f} s"
        + (f"  {figures['skipped']:.0f} steps skipped: gradients not finite" if figures["skipped"] else "")
    )


def _step_of(line: str) -> int:
    try:
        return int(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return 1 << 62  # a line cut off by a kill


def _tensorboard(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))
