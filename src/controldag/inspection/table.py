"""Many results as one table, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controldag.drawing.marked_text import marked
from controldag.drawing.markup import Markup, element, joined
from controldag.drawing.style import PICTURE
from controldag.errors import ControlDagError
from controldag.generation.result import Result
from controldag.inspection.evidence import origin_line
from controldag.inspection.page_parts import STYLE


@dataclass(frozen=True, slots=True)
class ResultTable:
    """What `generate_batch` returned, errors in their places: a notebook shows it as a table."""

    results: Sequence[Result | ControlDagError]

    def _repr_html_(self) -> str:
        head = element(
            "tr", *(element("th", title) for title in ("", "id", "text", "origin", "cost", "extra cost", "ms"))
        )
        rows = [_row(number, each) for number, each in enumerate(self.results)]
        table = element("table", element("thead", head), element("tbody", *rows))
        style = element("style", Markup(STYLE + PICTURE))
        return joined(style, element("div", table, class_="cd-report"))


def _row(number: int, outcome: Result | ControlDagError) -> Markup:
    first = element("td", str(number), class_="cd-number")
    if isinstance(outcome, ControlDagError):
        error = element("td", element("span", type(outcome).__name__, class_="cd-broken"), " ", str(outcome))
        return element("tr", first, element("td"), error, *(element("td") for _ in range(4)))
    broken = [element("span", f" breaks {label}", class_="cd-broken") for label in outcome.violated]
    extra = "" if outcome.extra_cost is None else f"{outcome.extra_cost:.3f}"
    figures = (f"{outcome.cost:.3f}", extra, f"{sum(outcome.ms.values()):.1f}")
    return element(
        "tr",
        first,
        element("td", outcome.id),
        element("td", marked(outcome.text, outcome.constraints), *broken),
        element("td", *origin_line(outcome)),
        *(element("td", figure, class_="cd-number") for figure in figures),
    )
