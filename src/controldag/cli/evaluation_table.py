"""An evaluation as tables for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.box import SIMPLE
from rich.table import Table

from controldag.metrics.suite import NAMES

# What the columns of parts are called, where their names are long.
_PARTS = {"without_repeats": "no repeats"}


def report_table(report: Mapping[str, Any]) -> Table:
    """A line for each figure that these records have: overall with its interval, then by part."""
    system = report["system"]
    name = system.get("outputs") or f"{system['model']} {system['decoder']}".strip()
    table = Table(title=f"{name} on {report['data']}", box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("figure", no_wrap=True)
    for heading in ("all", "95 %", *(_PARTS.get(part, part) for part in report["splits"])):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_row("n", f"{report['n']:,}", "", *(f"{part['n']:,}" for part in report["splits"].values()))
    ends = report["intervals"]["all"]
    for figure in NAMES:
        if figure in report["signatures"] and report[figure] is not None:
            parts = (_shown(part[figure]) for part in report["splits"].values())
            table.add_row(figure, _shown(report[figure]), _interval(ends[figure]), *parts)
    table.add_row("fallbacks", _shown(report["fallbacks"]))
    return table


def comparison_table(compared: Mapping[str, Any]) -> Table:
    """A line for each figure and part: both values, the difference with its interval, and p."""
    table = Table(
        title=f"against {compared['other']}, paired bootstrap", box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for heading in ("part", "figure", "this", "other", "difference", "95 %", "p"):
        table.add_column(heading, justify="left" if heading in ("part", "figure") else "right", no_wrap=True)
    for part, figures in compared.items():
        if part == "other":
            continue
        for figure, found in figures.items():
            if found is not None and found["difference"]:
                both = (_shown(found["first"]), _shown(found["other"]))
                row = (_PARTS.get(part, part), figure, *both, f"{found['difference']:+.2f}")
                table.add_row(*row, _interval(found["interval"]), f"{found['p']:.3f}")
    return table


def latency_line(report: Mapping[str, Any]) -> str:
    """How long a text took, and how that was measured."""
    if report["p50_ms"] is None:
        return "latency: not known"
    times = ", ".join(f"{name.removesuffix('_ms')} {report[name]:.1f} ms" for name in ("p50_ms", "p95_ms", "p99_ms"))
    return f"latency: {times} ({report['signatures']['latency']})"


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _interval(ends: list[float] | None) -> str:
    return (
        "-" if ends is None else f"{ends[0]:.1f}–{ends[1]:.1f}" if max(ends) >= 10 else f"{ends[0]:.2f}–{ends[1]:.2f}"
    )
