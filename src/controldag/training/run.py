"""`python -m controldag.training.run`: what `controldag train` does, without any package beside torch's.

Prepares the data where needed, trains, validates, and writes the final model, results and outputs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from controldag.errors import ControlDagError, InvalidInput
from controldag.files import atomic_write_text, write_json
from controldag.model.definition.saving import save_model
from controldag.run_record import circumstances
from controldag.training.loop import Trainer
from controldag.training.options import TrainingOptions, load_options, options_to
from controldag.training.prepare import data_folder, open_prepared, prepared_name
from controldag.training.run_options import Outcome, RunOptions
from controldag.training.start import Start

PREPARED = Path("prepared")
"""Where prepared data sets are, for machines that they travel to."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """One call of the command."""

    config: str
    out: Path
    prepared: Path | None = None  # folder that holds prepared folders; None: `prepared`, or the run's for own data
    data: Path | None = None  # raw data, where a folder has to be prepared first
    init: str = ""  # a checkpoint to start from
    minutes: float = 0.0
    stop_after: float = 0.0
    steps: int = 0
    seed: int | None = None
    device: str = "auto"
    resume: bool = True
    half: bool = False  # final weights in fp16
    quiet: bool = False
    prepare_only: bool = False
    validation_examples: int | None = None
    after: Path | None = None
    expect: str = ""


def run(request: TrainingRequest) -> dict[str, Any]:
    """Trains as asked and returns what was written to `results.json`."""
    options = load_options(request.config)
    if request.seed is not None:
        options = replace(options, seed=request.seed)
    if request.steps:
        options = replace(options, steps=request.steps)
    if request.validation_examples is not None:
        options = replace(options, validation_examples=request.validation_examples)
    # A mixture brings its own tokenizer: it can be prepared while the checkpoint it will continue is still in training.
    early = request.prepare_only and options.data.dataset == "mixture"
    start = Start.open(request.init or options.init) if (request.init or options.init) and not early else None
    if start is not None:
        options = start.applied(options, request.data)
        options.check()
    say = (lambda text: None) if request.quiet else _say
    own = options.data.dataset == "own"
    folder = (request.prepared or (request.out / "prepared" if own else PREPARED)) / prepared_name(options.data)
    corpus = open_prepared(options.data, folder, request.data, say, start.tokenizer_model if start else None)
    if request.prepare_only:
        return {"prepared": str(folder)}
    if not request.resume:
        shutil.rmtree(request.out / "checkpoints", ignore_errors=True)
    trainer = Trainer(
        options,
        corpus,
        RunOptions(
            request.out,
            request.minutes,
            request.stop_after,
            request.device,
            request.resume,
            request.quiet,
            say,
            request.after,
            expected(request.expect),
        ),
    )
    outcome = trainer.train()
    results = _results(trainer, outcome, options, request)
    if outcome.validation is None:
        say("stopped as asked; run the same command again to go on")
    elif trainer.accelerator.is_main_process:
        with trainer.averaged():
            final = request.out / "final"
            save_model(
                trainer.model,
                final,
                corpus.tokenizer_model,
                half=request.half,
                origin=options.init,
                schema_words=corpus.schema_words,
            )
        write_json(request.out / "results.json", results)
        _write_outputs(request.out / "outputs.json.gz", outcome)
    trainer.accelerator.wait_for_everyone()
    trainer.accelerator.end_training()
    return results


def expected(text: str) -> tuple[int, float] | None:
    """STEP:LOSS as numbers; None for an empty text."""
    if not text:
        return None
    step, _, loss = text.partition(":")
    try:
        return int(step), float(loss)
    except ValueError:
        raise InvalidInput.of("--expect", "be STEP:LOSS", text, remedy="Write 200:3.05.") from None


def _results(trainer: Trainer, outcome: Outcome, options: TrainingOptions, request: TrainingRequest) -> dict[str, Any]:
    return {
        "name": options.name,
        "options": options_to(options),
        "minutes": request.minutes,
        "parameters": sum(p.numel() for p in trainer.model.parameters()),
        "progress": asdict(outcome.progress),
        "epochs": outcome.progress.step / trainer.per_epoch,
        "examples_per_s": outcome.examples_per_s,
        "peak_gib": outcome.peak_gib,
        "dev": outcome.validation.scores if outcome.validation else {},
        "warnings": _warnings(outcome, options, request),
        **({"data": str(request.data.absolute())} if request.data and options.data.dataset == "own" else {}),
        "device": outcome.device,
        "torch": outcome.torch,
        **circumstances(),
    }


def _warnings(outcome: Outcome, options: TrainingOptions, request: TrainingRequest) -> list[str]:
    steps, least = outcome.progress.step, options.optimiser.warmup_steps
    if outcome.validation is None or steps >= least:
        return []
    budget = f"{request.minutes:g} minutes" if request.minutes else "the run"
    said = f"Only {steps} steps fitted into {budget}, fewer than the {least} that training begins gently with: "
    return [f"{said}the model has hardly learnt anything. Give it more time (--minutes), or leave the budget out."]


def _write_outputs(path: Path, outcome: Outcome) -> None:
    if outcome.validation is not None:
        with atomic_write_text(path) as file:
            json.dump(outcome.validation.outputs, file, ensure_ascii=False)


def read_outputs(path: Path) -> dict[str, list[str]]:
    """Outputs by decoder, as a run wrote them."""
    values: dict[str, list[str]] = json.loads(gzip.decompress(path.read_bytes()))
    return values


def _say(text: str) -> None:
    if int(os.environ.get("RANK", "0")) == 0:
        print(text, flush=True)


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    made = argparse.ArgumentParser(prog="controldag.training.run", description=__doc__)
    made.add_argument("config", help="a preset or a YAML file")
    made.add_argument("--init", default="", help="a checkpoint to start from: a bundled name or a folder")
    made.add_argument("--out", type=Path, help="folder of the run (default: runs/NAME)")
    made.add_argument("--prepared", type=Path, help="folder of prepared data (default: prepared, or the run's own)")
    made.add_argument("--data", type=Path, default=data_folder(), help="folder of the raw data")
    made.add_argument("--minutes", type=float, default=0.0, help="wall-clock budget of training")
    made.add_argument("--stop-after", type=float, default=0.0, help="stop after so many minutes, to be resumed")
    made.add_argument("--steps", type=int, default=0)
    made.add_argument("--seed", type=int)
    made.add_argument("--device", default="auto", help="auto, cpu or cuda")
    made.add_argument("--no-resume", dest="resume", action="store_false")
    made.add_argument("--half", action="store_true", help="final weights in fp16")
    made.add_argument("--quiet", action="store_true")
    made.add_argument("--prepare-only", action="store_true")
    made.add_argument("--validation-examples", type=int, help="0: all")
    made.add_argument("--expect", default="", help="STEP:LOSS: end the run if the loss logged there is above it")
    made.add_argument("--after", type=Path, help="compile, then wait for this file before the clock starts")
    return made


def main() -> int:
    """Exit status of the command."""
    values = vars(parser().parse_args())
    values["out"] = values["out"] or Path("runs") / Path(values["config"]).stem
    try:
        results = run(TrainingRequest(**values))
    except ControlDagError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(
        json.dumps(
            {key: results.get(key) for key in ("name", "epochs", "examples_per_s", "peak_gib", "dev", "prepared")}
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
