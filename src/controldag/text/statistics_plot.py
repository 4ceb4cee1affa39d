"""The statistics of data files as one picture."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping
from typing import Any

from controldag.errors import MissingDependency
from controldag.text.length import LengthModel
from controldag.text.statistics import Distribution, Statistics

_COLOURS = ("#3b6ea5", "#c8553d", "#588b8b", "#8d6a9f", "#7a7a3a", "#444444")
_SHOWN_KINDS = 10


def statistics_png(by_name: Mapping[str, Statistics], *, unit: str) -> bytes:
    """A PNG with the length distributions of all files, and lengths, fit and commonest acts of the first."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency.of("matplotlib", "plot", "Drawing statistics") from error
    figure = Figure(figsize=(11, 7.5), layout="constrained")
    FigureCanvasAgg(figure)
    ((inputs, targets), (joint, kinds)) = figure.subplots(2, 2)
    _draw_lengths(inputs, {name: s.input_lengths for name, s in by_name.items()}, f"Input length ({unit})")
    _draw_lengths(targets, {name: s.target_lengths for name, s in by_name.items()}, f"Target length ({unit})")
    first_name, first = next(iter(by_name.items()))
    _draw_pairs(joint, first, f"{first_name}: target by input length (with </s>; darker: more)")
    _draw_kinds(kinds, first, first_name)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=130)
    return picture.getvalue()


def _draw_lengths(axes: Any, distributions: Mapping[str, Distribution], title: str) -> None:
    for index, (name, distribution) in enumerate(distributions.items()):
        values = range(distribution.maximum + 2)  # lengths that do not occur are drawn as what they are: zero
        total = max(1, distribution.counts.total())
        shares = [100 * distribution.counts[value] / total for value in values]
        colour = _COLOURS[index % len(_COLOURS)]
        label = f"{name} (mean {distribution.mean:.1f}, p99 {distribution.quantile(0.99)})"
        axes.step(values, shares, where="mid", color=colour, linewidth=1.3, label=label)
    # The last percent is a long, thin tail that would squeeze everything else.
    axes.set_xlim(0, max((d.quantile(0.995) for d in distributions.values()), default=1) + 1)
    axes.set_ylim(0, axes.get_ylim()[1] * (1 + 0.09 * len(distributions)))  # head room for the legend
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_ylabel("% of texts")
    axes.legend(frameon=False, fontsize=8)
    _clean(axes)


def _draw_pairs(axes: Any, statistics: Statistics, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel("input length")
    axes.set_ylabel("target length")
    _clean(axes)
    if not statistics.pairs:
        return
    x, y = zip(*((a + 1, b + 1) for a, b in statistics.pairs), strict=True)
    weights = list(statistics.pairs.values())
    axes.scatter(x, y, c=weights, s=7, cmap="Blues", norm="log", vmin=0.3, linewidths=0)
    model = statistics.fit()
    if model is not None:
        ends = [min(x), max(x)]
        line = [model.slope * end + model.intercept for end in ends]
        axes.plot(ends, line, color=_COLOURS[1], linewidth=1.8, label=_equation(model))
        axes.legend(frameon=False, fontsize=9, loc="upper right")


def _draw_kinds(axes: Any, statistics: Statistics, name: str) -> None:
    kinds: Counter[str] = statistics.acts or statistics.relations
    what = "acts" if statistics.acts else "relations"
    commonest = kinds.most_common(_SHOWN_KINDS)[::-1]
    axes.barh([kind for kind, _ in commonest], [count for _, count in commonest], color=_COLOURS[0])
    axes.set_title(f"{name}: commonest {what} (of {len(kinds)})", loc="left", fontsize=10)
    axes.tick_params(axis="y", labelsize=8)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    _clean(axes)


def _equation(model: LengthModel) -> str:
    return f"{model.slope:.4f} x + {model.intercept:.2f}, R² = {model.r_squared:.3f}"


def _clean(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
