"""Which part of a graph is drawn: the routes, then what a walk is likeliest to pass, within caps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controldag.drawing.graph import Edge, Graph, Route, Sketch, Strip, TokenRow, Vertex
from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Caps:
    """The most vertices (and of these the most on no route), transitions, tokens per vertex and strips drawn."""

    vertices: int = 48
    neighbours: int = 16
    edges: int = 240
    tokens: int = 3
    strips: int = 16

    def __post_init__(self) -> None:
        for name, least in (("vertices", 2), ("neighbours", 0), ("edges", 0), ("tokens", 1), ("strips", 0)):
            if getattr(self, name) < least:
                raise InvalidInput.of(name, f"be at least {least}", getattr(self, name))


def choose(sketch: Sketch, caps: Caps, routes: Sequence[Route] = (), strips: Sequence[Strip] = ()) -> Graph:
    """The part of the graph that fits the caps: ends, routes in turn, then the vertices likeliest to be passed."""
    passing = passing_probabilities(sketch)
    last = len(sketch) - 1
    likely = sorted(range(len(sketch)), key=lambda vertex: (-passing[vertex], vertex))
    on_routes = dict.fromkeys((0, last, *(v for route in routes for v in route.vertices)))
    neighbours = [vertex for vertex in likely if vertex not in on_routes][: caps.neighbours]
    drawn = sorted([*on_routes, *neighbours][: caps.vertices])
    edges, left_out = _edges(sketch, routes, set(drawn), caps.edges)
    vertices = [Vertex(v, passing[v], _rows(sketch, routes, v, caps.tokens)) for v in drawn]
    return Graph(
        vertices=tuple(vertices),
        edges=edges,
        routes=tuple(routes),
        strips=tuple(strips)[: caps.strips],
        size=len(sketch),
        edges_left_out=left_out,
        strips_left_out=max(0, len(strips) - caps.strips),
    )


def passing_probabilities(sketch: Sketch) -> list[float]:
    """By vertex: the probability that a walk along the sketch's transitions comes by."""
    passing = [0.0] * len(sketch)
    passing[0] = 1.0
    for vertex, successors in enumerate(sketch.successors):
        for target, probability in successors:
            passing[target] += passing[vertex] * probability
    return [min(1.0, each) for each in passing]


def _edges(sketch: Sketch, routes: Sequence[Route], drawn: set[int], cap: int) -> tuple[tuple[Edge, ...], int]:
    """Transitions between drawn vertices, the routes' first and then the likeliest, and how many are left out."""
    known = {(e.source, e.target): e for route in routes for e in route.edges}
    others = [
        Edge(source, target, probability)
        for source, successors in enumerate(sketch.successors)
        for target, probability in successors
        if (source, target) not in known
    ]
    others.sort(key=lambda edge: (-edge.probability, edge.source, edge.target))
    visible = [edge for edge in (*known.values(), *others) if {edge.source, edge.target} <= drawn][:cap]
    total = len(known) + len(others)
    return tuple(sorted(visible, key=lambda edge: (edge.source, edge.target))), total - len(visible)


def _rows(sketch: Sketch, routes: Sequence[Route], vertex: int, count: int) -> tuple[TokenRow, ...]:
    """The likeliest tokens of a vertex, and those that routes say there, whatever their probability."""
    if vertex in (0, len(sketch) - 1):
        return ()
    said = [(route.kind, step) for route in routes for step in route.steps if step.vertex == vertex]
    chosen = {step.text for kind, step in said if kind == "chosen"}
    rows = {step.text: step.probability for kind, step in said if kind != "other"}
    for text, probability in sketch.emissions[vertex]:
        if len(rows) < count:
            rows.setdefault(text, probability)
    ordered = sorted(rows.items(), key=lambda row: (-row[1], row[0]))
    return tuple(TokenRow(text, probability, text in chosen) for text, probability in ordered)
