"""`controldag bench engine`: exact constrained search against pynini, and how it grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, progress, remark
from controldag.experiments.bench_engine import BenchOptions, compare, paper_cells
from controldag.experiments.engine_plots import comparison_png, sweeps_png
from controldag.experiments.engine_sweeps import SweepOptions, run_sweeps
from controldag.experiments.record import write_result
from controldag.files import atomic_write

_RESULTS = Path("benchmarks/results")
_SYSTEMS = ("ours", "ours_bytes", "paper", "tuned", "tuned_lists")


def bench_engine(
    quick: Annotated[bool, typer.Option("--quick", help="The comparison alone, on few DAGs: under a minute.")] = False,
    cases: Annotated[int | None, typer.Option("--cases", min=1, help="DAGs per cell of the comparison.")] = None,
    as_json: Json = False,
    save: Annotated[bool, typer.Option("--save", help=f"Keep figures and plots in {_RESULTS}.")] = False,
    quiet: Quiet = False,
) -> None:
    """Exact search against pynini on the same lattices, with length control; then latency and memory by size.

    Timed from arrays to string, in one thread: pruning (forced phrase tokens included), constraints, search.
    `paper` is the paper's pipeline with DFS-Viterbi, `tuned` the fastest exact one we know how to write with pynini.
    """
    options = BenchOptions.quick() if quick else BenchOptions()
    if cases is not None:
        options = BenchOptions(
            cases=cases, repetitions=options.repetitions, words=options.words, seed=options.seed, lists=options.lists
        )
    figures = compare(paper_cells(), options, partial(_track, quiet=quiet))
    if not quick:
        figures["sweeps"] = run_sweeps(SweepOptions(), partial(_track, quiet=quiet))
    if save:
        _save(figures, quick=quick, quiet=quiet)
    if as_json:
        print_json(figures)
        return
    _show_comparison(figures)
    if not quick:
        _show_sweeps(figures["sweeps"])


def _track(items: Iterable[Any], description: str, *, quiet: bool) -> Iterator[Any]:
    known = list(items)
    return progress(known, description, quiet=quiet, total=len(known))


def _save(figures: dict[str, Any], *, quick: bool, quiet: bool) -> None:
    name = "engine-quick" if quick else "engine"
    settings = {"options": figures["options"], "threads": 1, "timed": "arrays to string: prune, constraints, search"}
    write_result(_RESULTS / f"{name}.json", figures, settings)
    pictures = {f"{name}-comparison.png": comparison_png(figures)}
    if "sweeps" in figures:
        pictures[f"{name}-sweeps.png"] = sweeps_png(figures["sweeps"])
    for file, content in pictures.items():
        with atomic_write(_RESULTS / file) as picture:
            picture.write(content)
    remark(f"kept in {_RESULTS}: {name}.json, {', '.join(pictures)}", quiet=quiet)


def _show_comparison(figures: dict[str, Any]) -> None:
    table = Table(title="milliseconds a request with length control: median (p99), and how much slower than ours")
    table.add_column("cell")
    systems = [system for system in _SYSTEMS if system in figures["cells"][0]]
    for system in systems:
        table.add_column(system.replace("_", " "), justify="right")
    table.add_column("worse", justify="right")
    for cell in figures["cells"]:
        row = []
        for system in systems:
            ratio = cell.get(f"speedup_vs_{system}")
            shown = f"{cell[system]['median_ms']:.2f} ({cell[system]['p99_ms']:.1f})"
            row.append(shown if ratio is None else f"{shown} {ratio:.0f}×")
        table.add_row(cell["name"], *row, str(cell["worse_cost"]))
    out.print(table)
    free = Table(title="without length control: median ms")
    free.add_column("cell")
    for system in ("ours", "paper", "tuned"):
        free.add_column(system, justify="right")
    for cell in figures["cells"]:
        free.add_row(cell["name"], *(f"{cell[f'{s}_no_length']['median_ms']:.2f}" for s in ("ours", "paper", "tuned")))
    out.print(free)
    out.print(
        f"median over cells: {figures['speedup_vs_paper']:.0f}× the paper's pipeline, "
        f"{figures['speedup_vs_tuned']:.0f}× the tuned one; {figures['median_ms']:.2f} ms; "
        f"worse cost in {figures['worse_cost']} of {figures['cases']} cases"
    )


def _show_sweeps(sweeps: dict[str, Any]) -> None:
    for name, points in sweeps["latency"].items():
        table = Table(title=f"by {name} (L = 200, K = 3, 3 phrases unless said; phrases may start at 30 % of vertices)")
        for column in (name, "median ms", "p99 ms", "bytes: median ms", "p99 ms", "peak MB", "dictionary MB"):
            table.add_column(column, justify="right")
        for point in points:
            table.add_row(
                f"{point['value']:,}",
                *(f"{point[kind][key]:.2f}" for kind in ("tokens", "bytes") for key in ("median_ms", "p99_ms")),
                f"{point['peak_mb']:.1f}",
                f"{point['dictionary_mb']:.1f}",
            )
        out.print(table)
    worst, batch = sweeps["worst"], sweeps["batch"]
    out.print(
        f"8 phrases, every phrase token at every vertex, L = 200, K = 3: tokens {worst['tokens']['median_ms']:.1f} ms "
        f"(p99 {worst['tokens']['p99_ms']:.1f}), bytes {worst['bytes']['median_ms']:.1f} ms "
        f"(p99 {worst['bytes']['p99_ms']:.1f}), {worst['peak_mb']:.1f} MB"
    )
    out.print(
        f"a batch of {batch['size']:,}: {batch['seconds_1']:.2f} s with one thread, "
        f"{batch['seconds_2']:.2f} s with two: {batch['speedup']:.2f}×"
    )
