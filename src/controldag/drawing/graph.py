"""What is drawn: vertices with what they emit, transitions, routes through them, and strips below a route."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

State = Literal["open", "saying", "met"]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A whole graph as plain lists, best first: per vertex its (text, probability) and (next vertex, probability)."""

    emissions: Sequence[Sequence[tuple[str, float]]]
    successors: Sequence[Sequence[tuple[int, float]]]

    def __len__(self) -> int:
        return len(self.emissions)


@dataclass(frozen=True, slots=True)
class Step:
    """A vertex of a route: what is said there, how likely that is, and how likely the transition to it is."""

    vertex: int
    text: str
    probability: float
    arrival: float


@dataclass(frozen=True, slots=True)
class Route:
    """A way through the graph from its first vertex (no step) to its last one (`departure`: how likely that end is)."""

    kind: Literal["chosen", "greedy", "other"]
    steps: tuple[Step, ...]
    end: int
    departure: float

    @property
    def vertices(self) -> tuple[int, ...]:
        """All vertices of the route, the first and the last of the graph with them."""
        return (0, *(step.vertex for step in self.steps), self.end)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The transitions of the route."""
        likely = (*(step.arrival for step in self.steps), self.departure)
        return tuple(Edge(u, v, p) for (u, v), p in zip(pairwise(self.vertices), likely, strict=True))


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition and its probability."""

    source: int
    target: int
    probability: float


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token of a vertex; `chosen`: the chosen route says it."""

    text: str
    probability: float
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex to draw. passing: the probability that a walk comes by. rows: its tokens, likeliest first."""

    index: int
    passing: float
    rows: tuple[TokenRow, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """A constraint along the chosen route: its state at each step. colour: None where it has no place in the text."""

    label: str
    colour: int | None
    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """What is drawn of a Sketch of `size` vertices, and how much of the rest there is no room for."""

    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]
    routes: tuple[Route, ...]
    strips: tuple[Strip, ...]
    size: int
    edges_left_out: int = 0
    strips_left_out: int = 0

    @property
    def note(self) -> str:
        """A sentence on what is left out; empty where all is drawn."""
        missing = self.size - len(self.vertices)
        parts = []
        if missing:
            drawn = f"{len(self.vertices):,} of {self.size:,} vertices"
            parts.append(f"Drawn: {drawn}, those of the paths first, then the likeliest.")
        if self.edges_left_out:
            parts.append(f"{self.edges_left_out:,} of the likeliest transitions are left out.")
        if self.strips_left_out:
            parts.append(f"{self.strips_left_out:,} constraints have no strip.")
        return " ".join(parts)
