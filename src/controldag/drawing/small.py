"""A small drawing of a bare graph, for notebooks."""

from __future__ import annotations

from controldag.drawing.choose import Caps, choose
from controldag.drawing.graph import Sketch
from controldag.drawing.markup import Markup, element
from controldag.drawing.svg import picture

_SMALL = Caps(vertices=16, neighbours=14, edges=60)


def small_drawing(sketch: Sketch, what: str) -> Markup:
    """A line that says what it is, and the likeliest part of the graph in a box that scrolls."""
    graph = choose(sketch, _SMALL)
    arcs = sum(map(len, sketch.successors))
    line = element("div", f"{what}: {len(sketch):,} vertices, {arcs:,} likeliest transitions")
    return element("div", line, element("div", picture(graph, what), style="overflow-x: auto"))
