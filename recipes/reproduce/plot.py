"""The figure: latency against BLEU on what training did not show, filled only where no text has an error."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from controldag.errors import MissingDependency
from recipes.reproduce.page import errors_per_10_000
from recipes.reproduce.rows import Row, TaskTables
from recipes.reproduce.scores import RowResult

_COLOURS = {"ours": "#3b6ea5", "mini": "#588b8b", "twin": "#c8553d", "twin-12-1": "#8d6a9f", "paper": "#7a7a3a"}
_OTHERS = "#444444"
_LABEL_GAP = 0.034  # of the height of the axes


@dataclass(frozen=True, slots=True)
class _Point:
    """Latency (None for systems without a model, which take none to speak of), BLEU, and errors in 10,000."""

    row: Row
    milliseconds: float | None
    bleu: float
    errors: int

    @property
    def colour(self) -> str:
        return _COLOURS.get(self.row.model, _OTHERS)

    @property
    def label(self) -> str:
        return f"{self.row.label}  {self.errors:,}" if self.errors else self.row.label


def figure_png(tables: TaskTables, results: Sequence[RowResult]) -> bytes | None:
    """A PNG of all rows whose latency was measured; None where no model's was. Systems without one are lines."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency.of("matplotlib", "plot", "Drawing the figure") from error
    points = [point for result in _on_one_device(tables, results) if (point := _point(tables, result)) is not None]
    if not any(point.milliseconds for point in points):
        return None
    figure = Figure(figsize=(10, 6.5))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.08, 0.09, 0.62, 0.84))
    axes.set_xscale("log")
    for point in points:
        _draw(axes, point)
    axes.margins(x=0.08, y=0.06)
    _draw_labels(axes, points)
    axes.set_xlabel("latency p99, ms, one request at a time (log)")
    axes.set_ylabel(f"BLEU on unseen {'services' if tables.data == 'sgd' else 'relations'}")
    title = f"{tables.title}: filled where no text has an error of any kind; numbers: texts with one in 10,000"
    axes.set_title(title, loc="left", fontsize=10)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=130)
    return picture.getvalue()


def _draw(axes: Any, point: _Point) -> None:
    filled = "none" if point.errors else point.colour
    if point.milliseconds is None:
        axes.axhline(point.bleu, color=point.colour, linewidth=1, linestyle="--" if point.errors else "-", alpha=0.6)
        return
    style = {"marker": "o", "markersize": 8, "linestyle": "none"}
    axes.plot(point.milliseconds, point.bleu, markerfacecolor=filled, markeredgecolor=point.colour, **style)


def _draw_labels(axes: Any, points: Sequence[_Point]) -> None:
    """Labels in a column at the right, spread so that none covers another, each with a line to its point."""
    low, high = axes.get_ylim()
    right = axes.get_xlim()[1]
    at = math.inf
    for point in sorted(points, key=lambda each: -each.bleu):
        at = min((point.bleu - low) / (high - low), at - _LABEL_GAP)
        axes.annotate(
            point.label,
            xy=(point.milliseconds or right, point.bleu),
            xytext=(1.03, at),
            textcoords="axes fraction",
            fontsize=8.5,
            color=point.colour,
            va="center",
            arrowprops={"arrowstyle": "-", "color": point.colour, "linewidth": 0.5, "alpha": 0.5, "relpos": (0, 0.5)},
        )


def _on_one_device(tables: TaskTables, results: Sequence[RowResult]) -> list[RowResult]:
    """The rows timed where the main one was; without it, where the first was. Systems without a model all stay."""
    timed = [each for each in results if each.report is not None and each.report["timed_on"] and each.row.model]
    first = next((each for each in timed if each.row.key == tables.main.key), timed[0] if timed else None)
    if first is None or first.report is None:
        return list(results)
    there = first.report["timed_on"]
    return [each for each in results if not each.row.model or (each.report and each.report["timed_on"] == there)]


def _point(tables: TaskTables, result: RowResult) -> _Point | None:
    """BLEU is that of all data where nothing is unseen; None where the row lacks a figure."""
    report = result.report
    if report is None or report["p99_ms"] is None:
        return None
    bleu = report["splits"].get("unseen", report).get(tables.bleu)
    milliseconds = report["p99_ms"] if result.row.model else None
    return None if bleu is None else _Point(result.row, milliseconds, bleu, errors_per_10_000(report))
