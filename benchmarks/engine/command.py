"""`controldag bench engine`: exact constrained search against pynini, and how it grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from benchmarks.engine.plots import comparison_png, sweeps_png
from benchmarks.engine.real_dags import RealDag, RealVocabulary, real_dags
from benchmarks.engine.run import BenchOptions, compare, compare_real, paper_cells
from benchmarks.engine.sweeps import SETTINGS, SweepOptions, run_sweeps
from controldag.cli.console import Json, Quiet, out, print_json, progress, remark
from controldag.errors import ControlDagError
from controldag.files import atomic_write
from controldag.run_record import write_result

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
        options = replace(options, cases=cases)
    figures = compare(paper_cells(), options, partial(_track, quiet=quiet))
    real = _real_dags(quiet=quiet)
    if real is not None:
        figures["real"] = compare_real(*real, options, partial(_track, quiet=quiet))
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


def _real_dags(*, quiet: bool) -> tuple[RealVocabulary, list[RealDag]] | None:
    """The DAGs of the bundled model; None, with a remark, where it cannot run here."""
    try:
        return real_dags()
    except ControlDagError as error:
        remark(f"no real DAGs: {error}", quiet=quiet)
        return None


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
    systems = [system for system in _SYSTEMS if system in figures["cells"][0]]
    for title, suffix in (("with length control", ""), ("without length control", "_no_length")):
        table = Table(title=f"{title}: ms a request, median (p99); processor time, and how much more than ours")
        table.add_column("cell")
        for system in systems:
            if system + suffix in figures["cells"][0]:
                table.add_column(system.replace("_", " "), justify="right")
        for cell in [*figures["cells"], *([figures["real"]] if "real" in figures else [])]:
            shown = []
            for system in systems:
                if system + suffix not in cell:
                    continue
                ratio = cell.get(f"speedup_vs_{system}{suffix}")
                times = "" if ratio is None else f" {ratio:.0f}×"
                shown.append(_times(cell[system + suffix], separator="\n") + times)
            table.add_row(cell["name"], *shown)
        out.print(table)
    out.print(
        f"median over cells: {figures['speedup_vs_paper']:.0f}× the paper's pipeline, "
        f"{figures['speedup_vs_tuned']:.0f}× the tuned one; {figures['median_ms']:.2f} ms "
        f"({figures['median_cpu_ms']:.2f} ms of processor time); "
        f"worse cost in {figures['worse_cost']} of {figures['cases']} cases"
    )
    if "real" in figures:
        real = figures["real"]
        out.print(
            f"on DAGs that sgd-mini predicts: {real['speedup_vs_paper']:.0f}× the paper's pipeline, "
            f"{real['speedup_vs_tuned']:.0f}× the tuned one; "
            f"worse cost in {real['worse_cost']} of {real['cases']} cases"
        )


def _times(latency: dict[str, float], separator: str = "; ") -> str:
    wall = f"{latency['median_ms']:.2f} ({latency['p99_ms']:.1f})"
    return f"{wall}{separator}{latency['cpu_ms']:.2f}"


def _show_sweeps(sweeps: dict[str, Any]) -> None:
    for name, points in sweeps["latency"].items():
        table = Table(title=f"by {name}: {SETTINGS[name]}; ms a request, median (p99), and median processor time")
        for column in (name, "token level", "byte level", "peak MB", "dictionary MB"):
            table.add_column(column, justify="right")
        for point in points:
            times = (_times(point[kind]) for kind in ("tokens", "bytes"))
            table.add_row(f"{point['value']:,}", *times, f"{point['peak_mb']:.1f}", f"{point['dictionary_mb']:.1f}")
        out.print(table)
    worst, batch = sweeps["worst"], sweeps["batch"]
    out.print(
        f"8 phrases, every phrase token at every vertex, L = 200, K = 3: tokens {_times(worst['tokens'])}, "
        f"bytes {_times(worst['bytes'])} ms, {worst['peak_mb']:.1f} MB"
    )
    out.print(
        f"a batch of {batch['size']:,}: {batch['seconds_1']:.2f} s with one thread, "
        f"{batch['seconds_2']:.2f} s with two: {batch['speedup']:.2f}×"
    )
