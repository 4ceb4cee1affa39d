"""`python -m tools.check_graphs CONFIG`: steps as CUDA graphs against the same ones launched one by one.

Exit status 1 where their losses part. Both draw the same random numbers, since each step sets its own seed; sums on a
GPU are taken in no fixed order, hence the tolerance.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import torch

from controldag.training.corpus import Corpus
from controldag.training.loop import Trainer
from controldag.training.options import TrainingOptions, load_options
from controldag.training.prepare import data_folder, open_prepared, prepared_name
from controldag.training.run_options import RunOptions

_TOLERANCE = 0.01  # of a loss, relative


def losses(options: TrainingOptions, corpus: Corpus, *, graphs: bool, steps: int, device: str) -> list[float]:
    """The mean cost of a target position in each of the first `steps` steps."""
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(options, corpus, RunOptions(Path(folder), device=device, quiet=True, say=lambda _: None))
        trainer.warm_up()
        if not graphs:
            trainer.passes = None
        trainer.wrapped.train()
        began = time.perf_counter()
        sums = [trainer.step(0.5)[:2].clone() for _ in range(steps)]
        found = [float(cost) / float(positions) for cost, positions in sums]
        print(f"{'graphs' if graphs else 'launched'}: {1000 * (time.perf_counter() - began) / steps:.1f} ms a step")
        trainer.accelerator.free_memory()
    return found


def main() -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config")
    parser.add_argument("--prepared", type=Path, default=Path("prepared"))
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--device", default="auto")
    wanted = parser.parse_args()
    options = load_options(wanted.config)
    corpus = open_prepared(options.data, wanted.prepared / prepared_name(options.data), data_folder(), print)
    found = [losses(options, corpus, graphs=on, steps=wanted.steps, device=wanted.device) for on in (True, False)]
    worst = max(abs(one - other) / max(1e-9, abs(other)) for one, other in zip(*found, strict=True))
    fine = worst <= _TOLERANCE
    verdict = "pass" if fine else "FAIL"
    print(f"{verdict}  largest difference of a loss {worst:.1e} (limit {_TOLERANCE:g}), {wanted.steps} steps")
    for name, each in zip(("graphs", "launched"), found, strict=True):
        print(f"      {name}: {each[0]:.4f} … {each[-1]:.4f}")
    if torch.cuda.is_available():
        print(f"      {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
