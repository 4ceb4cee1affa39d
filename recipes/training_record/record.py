"""A finished training run as a result file and a picture of its curves."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from controldag.errors import DataError, MissingDependency
from controldag.files import atomic_write
from controldag.run_record import write_result

_REMEDY = "Give the folder that `controldag train` wrote, after the run has ended."
_CURVES = (
    ("loss", "loss per target position", "#3b6ea5"),
    ("wrong", "share of wrong positions", "#c8553d"),
    ("learning_rate", "learning rate", "#588b8b"),
)


def record_run(folder: Path, out: Path, *, commit: str | None = None) -> tuple[Path, Path]:
    """Paths of the result file and of the curves that were written to `out` for the run in `folder`.

    `commit` says which code ran, for a machine that had no repository to ask.
    """
    results = _read_results(folder / "results.json")
    lines = read_log(folder / "log.jsonl")
    name = run_name(results)
    picture = curves_png(name, lines)
    measured = {key: results[key] for key in ("date", "commit", "version", "machine")}
    measured["machine"] = {**measured["machine"], "accelerator": results["device"], "torch": results["torch"]}
    if commit is not None:
        measured["commit"] = commit
    write_result(out / f"{name}.json", _figures(results), _settings(results), measured=measured)
    with atomic_write(out / f"{name}.png") as file:
        file.write(picture)
    return out / f"{name}.json", out / f"{name}.png"


def run_name(results: dict[str, Any]) -> str:
    """The config's name; a run with another seed than the first does not take the place of the run that has it."""
    seed = results["options"].get("seed", 1)
    return str(results["name"]) if seed == 1 else f"{results['name']}-seed-{seed}"


def _figures(results: dict[str, Any]) -> dict[str, Any]:
    dev = results["dev"]
    if results["options"]["data"]["dataset"] == "dart":
        # DART has no slots: its slot error rate is 0 whatever the outputs are.
        dev = {name: {k: v for k, v in scores.items() if not k.startswith("ser")} for name, scores in dev.items()}
    return {
        "dev": dev,
        "seconds": results["progress"]["seconds"],
        "steps": results["progress"]["step"],
        "epochs": results["epochs"],
        "examples_per_s": results["examples_per_s"],
        "peak_gib": results["peak_gib"],
        "parameters": results["parameters"],
    }


def _settings(results: dict[str, Any]) -> dict[str, Any]:
    return {"config": results["options"], "minutes": results["minutes"]}


def _read_results(path: Path) -> dict[str, Any]:
    try:
        values: dict[str, Any] = json.loads(path.read_text("utf-8"))
        missing = {"name", "options", "dev", "progress", "machine", "device"} - set(values)
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"cannot be read ({error}).", path=path, remedy=_REMEDY) from error
    if missing:
        raise DataError(f"lacks {', '.join(sorted(missing))}.", path=path, remedy=_REMEDY)
    return values


def read_log(path: Path) -> list[dict[str, float]]:
    """The reports of a run's log, without its validations."""
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read ({error}).", path=path, remedy=_REMEDY) from error
    reports = [line for line in lines if "loss" in line]
    if not reports:
        raise DataError("holds no report of a step.", path=path, remedy=_REMEDY)
    return reports


def curves_png(name: str, reports: list[dict[str, float]]) -> bytes:
    """A PNG with loss, share of wrong positions and learning rate over the steps."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency.of("matplotlib", "plot", "Drawing curves") from error
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    steps = [report["step"] for report in reports]
    for axes, (key, label, colour) in zip(figure.subplots(1, 3), _CURVES, strict=True):
        axes.plot(steps, [report[key] for report in reports], color=colour, linewidth=1.4)
        axes.set_title(label, loc="left", fontsize=10)
        axes.set_xlabel("step")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.25)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.suptitle(f"{name}: {steps[-1]:,} steps, {reports[-1]['epoch']:.1f} epochs", x=0.01, ha="left", fontsize=11)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    return picture.getvalue()
