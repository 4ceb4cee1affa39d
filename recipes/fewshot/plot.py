"""The picture of the few-shot curves: BLEU with its interval by number of dialogues."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from controldag.errors import MissingDependency

_COLOURS = ("#3b6ea5", "#c8553d")


def curves_png(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """A PNG with one panel a curve; the dashed line is the checkpoint as it was."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency.of("matplotlib", "plot", "Drawing the curves") from error
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(curves), squeeze=False)[0]
    for axes, (name, points), colour in zip(panels, curves.items(), _COLOURS, strict=False):
        tuned = [point for point in points if point["shots"]]
        at = [point["shots"] for point in tuned]
        said = [point["bleu"] for point in tuned]
        spread = [[point["bleu"] - point["bleu_interval"][0] for point in tuned]]
        spread.append([point["bleu_interval"][1] - point["bleu"] for point in tuned])
        axes.errorbar(at, said, yerr=spread, marker="o", capsize=3, color=colour)
        for point in points:
            if not point["shots"]:
                axes.axhline(point["bleu"], linestyle="--", color="#777777")
        axes.set_xscale("log", base=2)
        axes.set_xticks(at, [str(shots) for shots in at])
        axes.set_xlabel("dialogues of a " + ("domain" if name == "published" else "service"))
        axes.set_ylabel("BLEU, Control-DAG, with 95 % intervals")
        axes.set_title(f"{name}: {points[0]['n']} turns; dashed: not fine-tuned", loc="left", fontsize=9)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110)
    return written.getvalue()
