"""A table of the page."""

from __future__ import annotations

from collections.abc import Sequence

from controldag.drawing.markup import Markup, element


def table(titles: Sequence[str], rows: Sequence[Markup]) -> Markup:
    """The rows under their titles, in a box that scrolls sideways on narrow screens."""
    head = element("tr", *(element("th", title) for title in titles))
    return element("div", element("table", element("thead", head), element("tbody", *rows)), class_="cd-scroll")
