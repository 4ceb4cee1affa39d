"""`python -m recipes.copy_ablation`: does a tied head make copying easier? Minutes of CPU.

Trains small models on the copying task of `recipes.copy_task`, tied head against untied, with and without
the source copied into the vertex inputs, at two learning rates, and keeps what share of unseen values each says.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.errors import ControlDagError, InvalidInput
from controldag.run_record import write_result
from recipes.copy_task import CopyTask, copy_data, copy_options, train_copying

# Tied head, copied source, learning rate.
ARMS = (
    (True, True, 3e-3),
    (False, True, 3e-3),
    (True, True, 2e-3),
    (False, True, 2e-3),
    (True, False, 3e-3),
    (False, False, 3e-3),
)


@dataclass(frozen=True, slots=True)
class AblationRun:
    """One training run of the ablation."""

    tied: bool
    copying: bool
    learning_rate: float
    steps: int
    seed: int

    @property
    def arm(self) -> str:
        """What the run's arm is called in the results."""
        head, source = "tied" if self.tied else "untied", "copied source" if self.copying else "no copied source"
        return f"{head}, {source}, {self.learning_rate:g}"


def run_job(job: AblationRun) -> list[dict[str, Any]]:
    """Figures of one run, at eight points of its training."""
    options = copy_options(
        tied=job.tied, copying=job.copying, learning_rate=job.learning_rate, steps=job.steps, seed=job.seed
    )
    return train_copying(options, copy_data(CopyTask()), every=job.steps // 8)


def run(steps: int, seeds: list[int], processes: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Figures of every arm and seed over the steps, by the arm's name."""
    if steps < 8:
        raise InvalidInput.of("--steps", "be at least 8", steps)
    jobs = [AblationRun(*arm, steps, seed) for seed in seeds for arm in ARMS]
    figures: dict[str, Any] = {}
    with ProcessPoolExecutor(processes) as pool:
        for job, rows in zip(jobs, pool.map(run_job, jobs), strict=True):
            figures.setdefault(job.arm, {})[f"seed {job.seed}"] = rows
            say(f"{job.arm}, seed {job.seed}: {rows[-1]['said']:.1f} % of the values said, loss {rows[-1]['loss']:.3f}")
    return figures


def main() -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/training/ablation-tied-head.json"))
    wanted = parser.parse_args()
    try:
        figures = run(wanted.steps, wanted.seeds, wanted.processes, lambda text: print(text, flush=True))
    except ControlDagError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    command = f"python -m recipes.copy_ablation --steps {wanted.steps}"
    command += " --seeds " + " ".join(str(seed) for seed in wanted.seeds)
    write_result(wanted.out, figures, {"steps": wanted.steps, "seeds": wanted.seeds, "command": command})
    return 0


if __name__ == "__main__":
    sys.exit(main())
