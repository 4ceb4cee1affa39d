"""`controldag bench training`: how fast training is on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.errors import MissingDependency
from controldag.run_record import write_result


def bench_training(
    configs: Annotated[list[str] | None, typer.Argument(help="Presets; default: sgd-mini and paper-sgd.")] = None,
    prepared: Annotated[Path, typer.Option("--prepared", help="Folder of prepared data.")] = Path("prepared"),
    steps: Annotated[int, typer.Option("--steps", min=1, help="Steps to time.")] = 40,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    as_json: Json = False,
    save: Annotated[bool, typer.Option("--save", help="Keep the figures in benchmarks/results.")] = False,
    quiet: Quiet = False,
) -> None:
    """Training speed: the fused path with each attention against eager PyTorch, memory, the share of each part."""
    try:
        from benchmarks.training import run as training
        from controldag.training.options import load_options
        from controldag.training.prepare import data_folder, open_prepared, prepared_name
    except ImportError as error:
        raise MissingDependency.of("torch", "model", "training") from error
    rows = []
    for config in configs or ["sgd-mini", "paper-sgd"]:
        options = load_options(config)
        folder = prepared / prepared_name(options.data)
        corpus = open_prepared(options.data, folder, data_folder(), lambda text: remark(text, quiet=quiet))
        rows.append(training.bench_training(options, corpus, steps=steps, device=device))
    if save:
        write_result(Path("benchmarks/results/training.json"), {row["config"]: row for row in rows}, {"steps": steps})
    if as_json:
        print_json(rows[0] if len(rows) == 1 else {**rows[0], "runs": rows})
        return
    for row in rows:
        out.print(_table(row))
        out.print(
            f"fused {row['fused_speedup']:.1f} times as fast as eager; loss and alignment {row['loss_speedup']:.1f} "
            f"times; sdpa {row['sdpa_speedup']:.2f} times as fast as plain attention"
        )


def _table(row: dict[str, Any]) -> Table:
    """One column for each way of training: fused with each kind of attention, and eager."""
    names = {"examples_per_s": "examples/s", "milliseconds": "ms a step", "peak_gib": "peak GiB"}
    eager = {
        "examples_per_s": row["eager_examples_per_s"],
        "milliseconds": row["eager_step_ms"],
        "peak_gib": row["eager_peak_gib"],
        "parts": row["eager_parts"],
    }
    ways = {f"fused, {kind}": speed for kind, speed in row["attention"].items()} | {"eager": eager}
    table = Table("", *ways, title=f"training {row['config']}")
    for key, name in names.items():
        table.add_row(name, *(f"{way[key]:,.1f}" for way in ways.values()))
    for part in sorted({part for way in ways.values() for part in way["parts"]}):
        table.add_row(f"{part}, % of time", *(f"{100 * way['parts'].get(part, 0.0):.0f}" for way in ways.values()))
    return table
