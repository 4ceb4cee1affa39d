"""Hypotheses as routes through the drawing of a Dag, with the model's probabilities of each step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from controldag.dag import Dag
from controldag.drawing.graph import Route, Step
from controldag.drawing.sketch import shown
from controldag.generation.result import Result
from controldag.search.result import Hypothesis


def route_of(dag: Dag, found: Hypothesis, kind: Literal["chosen", "greedy", "other"]) -> Route:
    """The vertices of a hypothesis, what it says at each, and how likely the model finds that."""
    vertices = (0, *found.vertices)
    tokens = list(dict.fromkeys(found.tokens))
    scores = dag.log_probabilities(tokens) if tokens else np.empty((dag.vertices, 0), np.float32)
    column = {token: place for place, token in enumerate(tokens)}
    steps = tuple(
        Step(
            vertex,
            shown(dag.surfaces.pieces[token]),
            math.exp(scores[vertex, column[token]]),
            math.exp(dag.transitions[before, vertex]),
        )
        for before, vertex, token in zip(vertices, found.vertices, found.tokens, strict=False)
    )
    last = dag.vertices - 1
    return Route(kind, steps, last, math.exp(dag.transitions[vertices[-1], last]))


def path_of(result: Result) -> Hypothesis | None:
    """The hypothesis whose text the result says; None where the text is not the graph's own, and has no vertices."""
    return next((found for found in result.n_best if found.text == result.text and found.vertices), None)


def places_of(dag: Dag, tokens: Sequence[int]) -> list[tuple[int, int]]:
    """By token: the characters of the text that it spells (`begin`, `end`); the text begins without a blank."""
    pieces = [dag.surfaces.pieces[token] or b"" for token in tokens]
    blank = 1 if pieces and pieces[0].startswith(b" ") else 0
    places, spelled, begin = [], b"", 0
    for piece in pieces:
        spelled += piece
        # A token may end inside a character: it then shares that character with the next one.
        whole = len(spelled.decode(errors="ignore")) - blank
        partial = spelled.decode(errors="ignore").encode() != spelled
        places.append((begin, whole + partial))
        begin = whole
    return places
