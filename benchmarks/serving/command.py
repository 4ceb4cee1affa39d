"""`controldag bench serving`: what the service bears on this machine."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from controldag.cli.console import ExitCode, Json, Quiet, out, print_json, remark
from controldag.cli.request_options import DEFAULT_MODEL
from controldag.errors import MissingDependency
from controldag.run_record import write_result

_FOLDER = Path("benchmarks/results")
_CLIENTS = [1, 8, 64]


def bench_serving(
    model: Annotated[str, typer.Option(help="A bundled model.")] = DEFAULT_MODEL,
    clients: Annotated[list[int] | None, typer.Option(min=1, help="Clients at a time; repeat it. 1, 8, 64.")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="How long each number of clients asks.")] = 20.0,
    soak: Annotated[float, typer.Option(min=0, help="Minutes at three times saturation instead.")] = 0.0,
    abuse: Annotated[bool, typer.Option("--abuse", help="Soak beside one abusive client in ten instead.")] = False,
    as_json: Json = False,
    save: Annotated[bool, typer.Option("--save", help=f"Keep the figures in {_FOLDER}.")] = False,
    quiet: Quiet = False,
) -> None:
    """Load a service on the loopback: throughput and latency by clients, with and without micro-batches; or a soak."""
    settings = {"model": model, "clients": clients or _CLIENTS, "seconds": seconds, "soak": soak}
    if soak:
        name = "soak-abuse" if abuse else "soak"
        figures, faults = _soaked(settings, abuse=abuse, quiet=quiet)
    else:
        name, figures, faults = "serving", _by_clients(settings), []
    if save:
        write_result(_FOLDER / f"{name}.json", figures, settings)
        remark(f"written: {_FOLDER / name}.json", quiet=quiet)
    if as_json:
        print_json({**figures, "faults": faults})
    else:
        _show(name, figures)
        for fault in faults:
            out.print(f"[bold red]fault:[/] {fault}")
    if faults:
        raise typer.Exit(ExitCode.INTERNAL)


def _by_clients(settings: dict[str, Any]) -> dict[str, Any]:
    cells = [
        asdict(cell) for cell in _bench().bench_clients(settings["model"], settings["clients"], settings["seconds"])
    ]
    most = max(settings["clients"])
    best = {cell["mode"]: cell["per_second"] for cell in cells if cell["clients"] == most}
    gain = best["batched"] / best["one by one"] if best["one by one"] else float("nan")
    return {"batching_gain": gain, "at_clients": most, "cells": cells}


def _soaked(settings: dict[str, Any], *, abuse: bool, quiet: bool) -> tuple[dict[str, Any], list[str]]:
    tell = partial(remark, quiet=quiet)
    soak = _bench().soak_beside_abuse if abuse else _bench().soak
    found = soak(settings["model"], settings["soak"], settings["seconds"], tell)
    return asdict(found), found.faults


def _bench() -> Any:
    # The service is a process of its own: a missing package would be told there, where nobody reads it.
    if find_spec("uvicorn") is None:
        raise MissingDependency.of("uvicorn", "serve", "Loading a service")
    from benchmarks.serving import run

    return run


def _show(name: str, figures: dict[str, Any]) -> None:
    if name != "serving":
        for key, value in figures.items():
            out.print(f"{key}: {value:.1f}" if isinstance(value, float) else f"{key}: {value}", markup=False)
        return
    table = Table("mode", "clients", "texts/s", "p50 ms", "p99 ms", "refused", "late", "wrong", "broken")
    for cell in figures["cells"]:
        counts = [str(cell["outcomes"].get(kind, 0)) for kind in ("busy", "late", "wrong", "broken")]
        numbers = (f"{cell['per_second']:.1f}", f"{cell['p50_ms']:.1f}", f"{cell['p99_ms']:.1f}")
        table.add_row(cell["mode"], str(cell["clients"]), *numbers, *counts)
    out.print(table)
    out.print(f"micro-batches give {figures['batching_gain']:.2f} times the texts at {figures['at_clients']} clients")
