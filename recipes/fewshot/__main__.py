"""`python -m recipes.fewshot.__main__`: what fine-tuning on few dialogues brings, by how many they are.

Each point is `train --init`, `package` and Control-DAG's texts, scored beside those of the checkpoint as it was. A
point that is there already is not run again, so that a stopped run goes on; what is there is recorded after each.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from controldag.checkpoint.packaging import package
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import ControlDagError, InvalidInput
from controldag.evaluation.decode_run import run_system
from controldag.evaluation.figures import Evaluation
from controldag.files import atomic_write, write_json
from controldag.metrics.background import Background
from controldag.pipeline import ControlDag
from controldag.run_record import write_result
from controldag.training import run as training_run
from controldag.training.prepare import data_folder
from recipes.fewshot.plot import curves_png
from recipes.fewshot.splits import CURVES, SHOTS, Splits, as_examples, services_of, splits_of

_KEPT = (
    "n",
    "bleu",
    "bp",
    "ser",
    "ser_strict",
    "neo_independent",
    "unsupported",
    "repeated_trigrams",
    "any_error",
    "empty",
    "fallbacks",
)
_VALIDATED = 20  # turns, by the fast decoders at the end of a run: only for its log
BASE = 0  # shots of the checkpoint as it was


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotOptions:
    """steps: of every fine-tuning, whatever it learns from. turns: scored at most, the first of an order drawn once."""

    init: str = "sgd-mini"
    config: str = "fine-tune"
    steps: int = 45
    turns: int = 400


def run_curve(curve: str, shots: Sequence[int], sgd: Path, work: Path, options: FewShotOptions) -> None:
    """Runs the points of one curve that are not in `work` yet, the checkpoint as it was first."""
    splits = splits_of(curve, sgd)
    folder = work / curve
    examples = as_examples(splits.scored[: options.turns], folder / "scored.jsonl")
    for each in (BASE, *shots):
        point = folder / f"{each}.json"
        if not point.is_file():
            figures = _point(each, splits, examples, folder, services_of(sgd), options)
            write_json(point, figures | {"options": asdict(options)})


def _point(
    shots: int,
    splits: Splits,
    examples: list[Example],
    folder: Path,
    services: list[dict[str, Any]],
    options: FewShotOptions,
) -> dict[str, Any]:
    data = folder / f"{shots}-shot"
    write_json(folder / "schema.json", services)
    schema = Schema.load(folder / "schema.json")
    model, facts = options.init, {"examples": 0, "dialogues": 0, "epochs": 0.0, "seconds": 0.0}
    if shots != BASE:
        splits.write(data, shots, services)
        began = time.perf_counter()
        results = training_run.run(
            training_run.TrainingRequest(
                config=options.config,
                init=options.init,
                out=folder / f"run-{shots}",
                prepared=folder / "prepared",
                data=data,
                steps=options.steps,
                device="cpu",
                validation_examples=_VALIDATED,
            )
        )
        records = splits.train[shots]
        facts = {
            "examples": len(records),
            "dialogues": len({(record["service"], record["dialog_id"]) for record in records}),
            "epochs": results["epochs"],
            "seconds": time.perf_counter() - began,
        }
        model = str(folder / f"model-{shots}")
        package(folder / f"run-{shots}", data, Path(model))
    system = ControlDag.from_pretrained(model, schema=schema)
    outputs = run_system(system, examples, "control-dag")
    report = Evaluation(examples, outputs, Background.of(schema, examples)).report()
    kept = {name: report.get(name) for name in _KEPT}
    return {"shots": shots, **facts, **kept, "bleu_interval": report["intervals"]["all"]["bleu"]}


def collected(work: Path) -> dict[str, list[dict[str, Any]]]:
    """By curve, the points that are there, fewest shots first."""
    curves = {}
    for curve in CURVES:
        points = [json.loads(path.read_text("utf-8")) for path in (work / curve).glob("[0-9]*.json")]
        if points:
            curves[curve] = sorted(points, key=lambda point: int(point["shots"]))
    return curves


def record(work: Path, out: Path, settings: dict[str, Any]) -> None:
    """Writes what is there to `out` (JSON) and beside it as PNG."""
    curves = collected(work)
    write_result(out, curves, settings)
    with atomic_write(out.with_suffix(".png")) as file:
        file.write(curves_png(curves))


def main() -> int:
    """Exit status of the command."""
    made = argparse.ArgumentParser(prog="recipes.fewshot.__main__", description=__doc__)
    defaults = FewShotOptions()
    made.add_argument("--curve", choices=CURVES, action="append", help="default: both")
    made.add_argument("--shots", type=int, choices=SHOTS, nargs="+", default=list(SHOTS))
    made.add_argument("--steps", type=int, default=defaults.steps, help="of every fine-tuning")
    made.add_argument("--turns", type=int, default=defaults.turns, help="scored at most")
    made.add_argument("--init", default=defaults.init, help="the checkpoint to start from")
    made.add_argument("--data", type=Path, default=data_folder(), help="folder of the data sets")
    made.add_argument("--work", type=Path, default=Path("runs", "fewshot"), help="folder of runs and points")
    made.add_argument("--out", type=Path, default=Path("results", "fewshot.json"))
    given = made.parse_args()
    options = FewShotOptions(init=given.init, steps=given.steps, turns=given.turns)
    try:
        if given.data is None or not (given.data / "sgd").is_dir():
            raise InvalidInput.of("--data", "hold the folder sgd", str(given.data), remedy="Set CONTROLDAG_DATA.")
        for shots in given.shots:
            for curve in given.curve or CURVES:
                run_curve(curve, [shots], given.data / "sgd", given.work, options)
                record(given.work, given.out, asdict(options))
    except ControlDagError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
