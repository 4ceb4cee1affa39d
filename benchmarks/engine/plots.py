"""The engine's benchmark as pictures."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.engine.sweeps import SETTINGS
from controldag.errors import MissingDependency

_SYSTEMS = {
    "ours": ("ours, token level", "#3b6ea5"),
    "ours_bytes": ("ours, byte level", "#7fb0d8"),
    "tuned": ("pynini, tuned", "#588b8b"),
    "tuned_lists": ("pynini, tuned, plain Python", "#8fb7a4"),
    "paper": ("pynini, the paper's way", "#c8553d"),
}
_GOAL_MS = 50


def comparison_png(figures: Mapping[str, Any]) -> bytes:
    """A PNG with each cell's median processor time by system (whiskers: p99), on a logarithmic scale."""
    figure = _figure((9, 4.6))
    axes = figure.subplots()
    cells = figures["cells"]
    systems = [system for system in _SYSTEMS if system in cells[0]]
    width = 0.8 / len(systems)
    for index, system in enumerate(systems):
        label, colour = _SYSTEMS[system]
        places = [place + (index - (len(systems) - 1) / 2) * width for place in range(len(cells))]
        medians = [cell[system]["cpu_ms"] for cell in cells]
        above = [cell[system]["cpu_p99_ms"] - cell[system]["cpu_ms"] for cell in cells]
        bars = axes.bar(
            places,
            medians,
            0.92 * width,
            color=colour,
            label=label,
            yerr=[[0] * len(cells), above],
            error_kw={"linewidth": 0.8, "ecolor": "#444444"},
        )
        axes.bar_label(bars, [_short(value) for value in medians], label_type="center", fontsize=7, color="white")
    axes.set_yscale("log")
    axes.set_xticks(range(len(cells)), [cell["name"] for cell in cells])
    axes.set_ylabel("ms of processor time per request")
    axes.set_title(
        f"Arrays to string with length control: {figures['speedup_vs_paper']:.0f}× the paper's pipeline, "
        f"{figures['speedup_vs_tuned']:.0f}× a tuned one (medians over cells)",
        loc="left",
        fontsize=10,
    )
    axes.set_ylim(top=axes.get_ylim()[1] * 8)  # head room for the legend
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper left")
    _clean(axes)
    return _png(figure)


def sweeps_png(sweeps: Mapping[str, Any]) -> bytes:
    """A PNG with latency and peak memory over every varied size."""
    by_sweep: Mapping[str, Sequence[Mapping[str, Any]]] = sweeps["latency"]
    figure = _figure((11, 3.4 * ((len(by_sweep) + 3) // 3)))
    panels = figure.subplots((len(by_sweep) + 3) // 3, 3, squeeze=False).flatten()
    for axes, (name, points) in zip(panels, by_sweep.items(), strict=False):
        _draw_sweep(axes, name, points)
    _draw_worst(panels[len(by_sweep)], sweeps["worst"])
    for axes in panels[len(by_sweep) + 1 :]:
        axes.set_visible(False)
    return _png(figure)


def _draw_sweep(axes: Any, name: str, points: Sequence[Mapping[str, Any]]) -> None:
    sizes = [point["value"] for point in points]
    for kind, system in (("tokens", "ours"), ("bytes", "ours_bytes")):
        label, colour = _SYSTEMS[system]
        axes.plot(sizes, [p[kind]["cpu_ms"] for p in points], "o-", color=colour, markersize=3.5, label=label)
        axes.plot(sizes, [p[kind]["cpu_p99_ms"] for p in points], ":", color=colour, linewidth=1, label=f"{label}, p99")
    if name == "words":
        axes.set_xscale("log")
    if name == "Ke = Kt":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0, top=1.45 * axes.get_ylim()[1])  # head room for the legend
    axes.set_xlabel(name)
    axes.set_ylabel("ms of processor time")
    memory = axes.twinx()
    memory.plot(sizes, [p["peak_mb"] for p in points], "--", color="#999999", linewidth=1)
    memory.set_ylim(bottom=0, top=max(1.0, 1.6 * max(p["peak_mb"] for p in points)))
    memory.set_ylabel("peak memory, MB (dashed)", color="#777777", fontsize=8)
    memory.tick_params(colors="#777777", labelsize=8)
    memory.spines[["top"]].set_visible(False)
    axes.set_title(f"by {name} ({SETTINGS[name]})", loc="left", fontsize=8)
    axes.legend(frameon=False, fontsize=7, loc="lower right" if name == "Ke = Kt" else "upper left")
    axes.spines[["top"]].set_visible(False)


def _draw_worst(axes: Any, worst: Mapping[str, Any]) -> None:
    kinds = ("tokens", "bytes")
    medians = [worst[kind]["cpu_ms"] for kind in kinds]
    above = [worst[kind]["cpu_p99_ms"] - worst[kind]["cpu_ms"] for kind in kinds]
    colours = [_SYSTEMS["ours"][1], _SYSTEMS["ours_bytes"][1]]
    bars = axes.bar(["token level", "byte level"], medians, 0.5, color=colours, yerr=[[0, 0], above])
    axes.bar_label(bars, [f"{value:.1f}" for value in medians], label_type="center", color="white")
    axes.axhline(_GOAL_MS, color="#c8553d", linewidth=1, linestyle="--")
    axes.set_ylabel("ms of processor time (dashed: goal)")
    axes.set_title("8 phrases, each token at every vertex", loc="left", fontsize=8)
    _clean(axes)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _figure(size: tuple[float, float]) -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency.of("matplotlib", "plot", "Drawing benchmarks") from error
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _png(figure: Any) -> bytes:
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=130)
    return picture.getvalue()


def _clean(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
