"""A graph as SVG: boxes for vertices, curves for transitions, lines for routes, strips for constraints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from textwrap import wrap

from controldag.drawing.graph import Edge, Graph, State, TokenRow, Vertex
from controldag.drawing.grid import BOX_HEIGHT, BOX_WIDTH, END_WIDTH, MARGIN, Grid
from controldag.drawing.layout import lay_out
from controldag.drawing.markup import Markup, element
from controldag.drawing.routing import curve, way_round
from controldag.drawing.style import PICTURE, colour_class

_ROW_HEIGHT = 18.0
_HEADER = 18.0
_TEXT_WIDTH = 74.0
_BOLD = 0.9  # of that width: bold letters are wider
_LINE = 16.0
_SMALL_LETTER = 5.6
# So that both lines are seen where routes run together.
_SHIFT = {"chosen": 2.5, "greedy": -2.5}


def picture(graph: Graph, title: str, columns: int = 8) -> Markup:
    """The graph as an `<svg>` element with its own style, readable alone and inside a page.

    After `columns` of them, or fewer where the bands then are of like size, it goes on below, as text does.
    """
    graph = replace(graph, strips=tuple(strip for strip in graph.strips if strip.colour is not None))
    ends = (graph.vertices[0].index, graph.vertices[-1].index)
    grid = Grid(lay_out(graph, columns), ends, len(graph.strips))
    width = max(grid.width, 318.0)
    keys, legend = _legend(graph), _lines_of(" ".join(_about_signs(graph)), width)
    note = _lines_of(graph.note, width)
    top = 14.0 + _LINE * (bool(keys) + len(legend))
    height = top + grid.height + _LINE * len(note) + 4.0
    content = [*_lines(graph, grid), *_boxes(graph, grid)]
    content += [_strip(graph, grid, place) for place in range(len(graph.strips))]
    body = [
        element("title", title),
        element("style", Markup(PICTURE)),
        element("rect", class_="cd-page", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=10),
        *keys,
        *_paragraph(legend, 14.0 + _LINE * bool(keys)),
        element("g", *content, transform=f"translate(0 {top:g})"),
        *_paragraph(note, top + grid.height),
    ]
    return element(
        "svg",
        *body,
        xmlns="http://www.w3.org/2000/svg",
        class_="cd",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
    )


def _legend(graph: Graph) -> list[Markup]:
    """What the two colours of routes mean, where there are any."""
    kinds = {route.kind for route in graph.routes}
    names = [(kind, name) for kind, name in (("chosen", "chosen path"), ("greedy", "greedy path")) if kind in kinds]
    parts: list[Markup] = []
    for place, (kind, name) in enumerate(names):
        x = MARGIN + 130 * place
        parts.append(_route_line(f"M{x:g} 20h26", kind))
        parts.append(element("text", name, class_="cd-faint", x=x + 34, y=24))
    return parts


def _about_signs(graph: Graph) -> Iterator[str]:
    yield "Box: a vertex and its likeliest tokens. Line: a transition, the thicker the likelier."
    if graph.strips:
        yield "Below: what has to be said, dotted while open, thick while being said, thin once met."


def _lines_of(text: str, width: float) -> list[str]:
    """The text in lines that a picture so wide has room for."""
    return wrap(text, max(20, int((width - 2 * MARGIN) / _SMALL_LETTER)))


def _paragraph(lines: Sequence[str], y: float) -> Iterator[Markup]:
    for place, line in enumerate(lines):
        yield element("text", line, class_="cd-faint cd-small", x=MARGIN, y=y + _LINE * place + 10)


def _lines(graph: Graph, grid: Grid) -> Iterator[Markup]:
    """Faint transitions first, so that routes lie over them."""
    drawn = {vertex.index for vertex in graph.vertices}
    for edge in graph.edges:
        yield element(
            "path",
            element("title", _about(edge)),
            class_="cd-line cd-edge",
            d=curve(grid, edge),
            stroke_width=0.6 + 3.4 * edge.probability,
            opacity=0.16 + 0.5 * edge.probability,
        )
    for route in sorted(graph.routes, key=lambda route: route.kind == "chosen"):
        if route.kind == "other":
            continue
        for edge in route.edges:
            if {edge.source, edge.target} <= drawn:
                line = way_round(grid, edge, _SHIFT[route.kind], above=route.kind == "greedy")
                yield _route_line(line, route.kind, element("title", f"{route.kind} path, {_about(edge)}"))


def _route_line(line: str, kind: str, *children: Markup) -> Markup:
    dashes = "7 5" if kind == "greedy" else None
    return element("path", *children, class_=f"cd-line cd-{kind}", d=line, stroke_width=2.4, stroke_dasharray=dashes)


def _boxes(graph: Graph, grid: Grid) -> Iterator[Markup]:
    by_vertex = {v: route.kind for route in reversed(graph.routes) for v in route.vertices if route.kind != "other"}
    colours = _colours(graph)
    for vertex in graph.vertices:
        if vertex.index in grid.ends:
            yield _end(grid, vertex.index)
        else:
            yield _box(grid, vertex, by_vertex.get(vertex.index), colours.get(vertex.index))


def _end(grid: Grid, vertex: int) -> Markup:
    x, y = grid.left(vertex), grid.middle(vertex)
    name = "start" if vertex == grid.ends[0] else "end"
    return element(
        "g",
        element("title", f"vertex {vertex}: the {name} of every path"),
        element("rect", class_="cd-end", x=x, y=y - 13, width=END_WIDTH, height=26, rx=13),
        element("text", name, class_="cd-text", x=x + END_WIDTH / 2, y=y + 4, text_anchor="middle"),
    )


def _box(grid: Grid, vertex: Vertex, kind: str | None, colour: int | None) -> Markup:
    x, y = grid.left(vertex.index), grid.middle(vertex.index) - BOX_HEIGHT / 2
    tokens = ", ".join(f"{row.text} {_percent(row.probability)}" for row in vertex.rows)
    about = f"vertex {vertex.index}, passed with {_percent(vertex.passing)}: {tokens}"
    box = f"cd-box cd-box-{kind}" if kind else "cd-box"
    parts = [
        element("title", about),
        element("rect", class_=box, x=x, y=y, width=BOX_WIDTH, height=BOX_HEIGHT, rx=7),
        element("text", str(vertex.index), class_="cd-faint cd-small", x=x + 8, y=y + 13),
        element(
            "text",
            _percent(vertex.passing),
            class_="cd-faint cd-small",
            x=x + BOX_WIDTH - 8,
            y=y + 13,
            text_anchor="end",
        ),
    ]
    for place, row in enumerate(vertex.rows[:3]):
        parts.extend(_token(row, x + 5, y + _HEADER + place * _ROW_HEIGHT))
    if colour is not None:
        mark = element("rect", class_="cd-fill", x=x + 8, y=y + BOX_HEIGHT - 2, width=BOX_WIDTH - 16, height=4, rx=2)
        parts.append(element("g", mark, class_=colour_class(colour)))
    return element("g", *parts)


def _token(row: TokenRow, x: float, y: float) -> Iterator[Markup]:
    """One token: a bar as long as it is likely, its text, and its probability."""
    width = BOX_WIDTH - 10
    bar = "cd-bar-chosen" if row.chosen else "cd-bar"
    yield element("rect", class_=bar, x=x, y=y, width=max(1.0, width * row.probability), height=_ROW_HEIGHT - 2, rx=3)
    strong, room = (" cd-strong", _BOLD * _TEXT_WIDTH) if row.chosen else ("", _TEXT_WIDTH)
    yield element("text", shortened(row.text, room), class_=f"cd-text{strong}", x=x + 4, y=y + 12)
    share = _percent(row.probability)
    yield element("text", share, class_="cd-faint cd-small", x=x + width - 3, y=y + 12, text_anchor="end")


def _strip(graph: Graph, grid: Grid, place: int) -> Markup:
    """A constraint below the chosen route: dotted while open, thick while it is said, thin once it is met."""
    strip = graph.strips[place]
    chosen = next(route for route in graph.routes if route.kind == "chosen")
    drawn = {vertex.index for vertex in graph.vertices}
    label = element(
        "text",
        shortened(strip.label, 0.55 * grid.width),
        element("title", strip.label),
        class_="cd-fill cd-strong",
        x=MARGIN,
        y=grid.strip_line(0, place) - 8,
    )
    parts = [label]
    before: State = "met" if strip.states[:1] == ("met",) else "open"
    band, x = 0, grid.right(grid.ends[0])
    for step, state in [*zip(chosen.steps, strip.states, strict=True), (None, None)]:
        vertex = step.vertex if step is not None else grid.ends[1]
        if vertex not in drawn:
            continue
        meanwhile = _between(before, state or before)
        while band < grid.layout.band(vertex):
            parts.append(_strip_line(x, grid.width - 4, grid.strip_line(band, place), meanwhile))
            band, x = band + 1, 4.0
        line, left, right = grid.strip_line(band, place), grid.left(vertex), grid.right(vertex)
        parts.append(_strip_line(x, left, line, meanwhile))
        if step is not None and state is not None:
            about = f"vertex {vertex} {step.text!r}, {strip.label}: {_STATES[state]}"
            parts.append(_strip_line(left, right, line, state, element("title", about)))
            x, before = right, state
    return element("g", *parts, class_=colour_class(strip.colour))


def _between(before: State, after: State) -> State:
    """The state between two vertices."""
    if before == after:
        return before
    return "open" if "open" in (before, after) else "met"


_STATES = {"open": "not met yet", "saying": "being said", "met": "met"}


def _strip_line(x0: float, x1: float, y: float, state: str, *children: Markup) -> Markup:
    width = {"open": 1.2, "saying": 8.0, "met": 2.0}[state]
    kind = "cd-open" if state == "open" else "cd-in-colour"
    dashes = "1 5" if state == "open" else None
    return element(
        "path",
        *children,
        class_=f"cd-line {kind}",
        d=f"M{x0:.1f} {y:.1f}H{x1:.1f}",
        stroke_width=width,
        stroke_dasharray=dashes,
    )


def _colours(graph: Graph) -> dict[int, int]:
    """By vertex of the chosen route: the colour of the constraint that is being said there."""
    steps = [step.vertex for route in graph.routes if route.kind == "chosen" for step in route.steps]
    return {
        vertex: strip.colour
        for strip in reversed(graph.strips)
        for vertex, state in zip(steps, strip.states, strict=True)
        if state == "saying" and strip.colour is not None
    }


def _about(edge: Edge) -> str:
    return f"{edge.source} → {edge.target}: {_percent(edge.probability)}"


def _percent(share: float) -> str:
    if share >= 0.0995:
        return f"{100 * share:.0f}%"
    return f"{100 * share:.1f}%" if share >= 0.0005 else "<0.1%"


def shortened(text: str, width: float) -> str:
    """The text, cut where it would be wider than so many pixels at 12 px, with an ellipsis for the rest."""
    ends = list(accumulate(_letter_width(letter) for letter in text))
    if not ends or ends[-1] <= width:
        return text
    return text[: max(1, sum(end <= width - _letter_width("…") for end in ends))] + "…"


def _letter_width(letter: str) -> float:
    return 4.2 if letter in "iljtfrI.,:;'|! " else 10.8 if letter in "mwMW@%" or ord(letter) > 0x2000 else 7.4
