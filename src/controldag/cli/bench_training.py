"""`controldag bench training`: how fast training is on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.errors import MissingDependency
from controldag.experiments.record import write_result


def bench_training(
    configs: Annotated[list[str] | None, typer.Argument(help="Presets; default: sgd-mini and paper-sgd.")] = None,
    prepared: Annotated[Path, typer.Option("--prepared", help="Folder of prepared data.")] = Path("carry"),
    steps: Annotated[int, typer.Option("--steps", min=1, help="Steps to time.")] = 40,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    as_json: Json = False,
    save: Annotated[bool, typer.Option("--save", help="Keep the figures in benchmarks/results.")] = False,
    quiet: Quiet = False,
) -> None:
    """Training speed: the fused path against eager PyTorch, memory, and the share of time of each part."""
    try:
        from controldag.training import bench as training
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
        table = Table("", "fused", "eager", title=f"training {row['config']}")
        table.add_row("examples/s", f"{row['examples_per_s']:,.0f}", f"{row['eager_examples_per_s']:,.0f}")
        table.add_row("ms a step", f"{row['step_ms']:.1f}", f"{row['eager_step_ms']:.1f}")
        table.add_row("peak GiB", f"{row['peak_gib']:.1f}", f"{row['eager_peak_gib']:.1f}")
        for part in sorted(row["parts"] | row["eager_parts"]):
            shares = (row["parts"].get(part, 0.0), row["eager_parts"].get(part, 0.0))
            table.add_row(f"{part}, % of time", *(f"{100 * share:.0f}" for share in shares))
        out.print(table)
        out.print(f"fused {row['fused_speedup']:.1f} times as fast; loss and alignment {row['loss_speedup']:.1f} times")
