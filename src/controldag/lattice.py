"""Pruning a Dag to a lattice (Control-DAG Algorithm 1), and exporting lattices as automata."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from controldag import _core
from controldag.dag import Dag, Floats, Ids
from controldag.drawing.graph import Sketch
from controldag.drawing.sketch import shown
from controldag.drawing.small import small_drawing
from controldag.errors import InvalidInput, MissingDependency

if TYPE_CHECKING:
    import pynini

Phrase = str | Sequence[int]
T = TypeVar("T")


@dataclass(frozen=True, eq=False, slots=True)
class Lattice:
    """A pruned Dag in factored (Moore) form: tokens at vertices, transitions between them, costs for both."""

    core: _core.Lattice

    @property
    def vertices(self) -> int:
        return self.core.vertices

    def arcs(self) -> Iterator[tuple[int, int, float, int]]:
        """(vertex, token id, cost, next vertex) of the Mealy form: each emission times each transition.

        Vertex 0's arcs carry no token (id -1, `<s>`); the last vertex has none.
        """
        for v, (emissions, onward) in enumerate(zip(self.emissions(), self.transitions(), strict=True)):
            for to, arc_cost in onward:
                for token, cost in emissions if v else [(-1, 0.0)]:
                    yield v, token, cost + arc_cost, to

    def emissions(self) -> list[list[tuple[int, float]]]:
        """Per vertex: (token id, cost)."""
        begin, tokens, costs, ids = self.core.emit_begin, self.core.emit_token, self.core.emit_cost, self.core.token_id
        return [[(ids[tokens[e]], costs[e]) for e in range(begin[v], begin[v + 1])] for v in range(self.vertices)]

    def transitions(self) -> list[list[tuple[int, float]]]:
        """Per vertex: (next vertex, cost)."""
        begin, to, costs = self.core.arc_begin, self.core.arc_to, self.core.arc_cost
        return [[(to[a], costs[a]) for a in range(begin[v], begin[v + 1])] for v in range(self.vertices)]

    def surfaces(self) -> dict[int, bytes]:
        """The bytes of every token in the lattice, by token id."""
        return dict(zip(self.core.token_id, self.core.surface, strict=True))

    def sketch(self) -> Sketch:
        """Tokens and successors of every vertex with their probabilities, likeliest first, to draw."""
        texts = {token: shown(piece) for token, piece in self.surfaces().items()}
        emissions = [[(texts[token], math.exp(-cost)) for token, cost in here] for here in self.emissions()]
        onward = [[(to, math.exp(-cost)) for to, cost in here] for here in self.transitions()]
        return Sketch([_by_likelihood(each) for each in emissions], [_by_likelihood(each) for each in onward])

    def _repr_html_(self) -> str:
        """A small drawing, for notebooks."""
        return small_drawing(self.sketch(), "Lattice")

    def to_openfst_text(self) -> str:
        """The weighted acceptor in OpenFst's text format: labels are token ids + 1 (0 is epsilon, for `<s>`)."""
        lines = [f"{u}\t{v}\t{token + 1}\t{token + 1}\t{cost:.9g}" for u, token, cost, v in self.arcs()]
        return "\n".join([*lines, str(self.vertices - 1)]) + "\n"

    def to_pynini(self) -> pynini.Fst:
        """The weighted acceptor as a pynini Fst, labelled as in `to_openfst_text`."""
        try:
            import pynini
        except ImportError as error:
            raise MissingDependency.of("pynini", "dev", "Export to pynini") from error
        fst = pynini.Fst()
        fst.add_states(self.vertices)
        fst.set_start(0)
        fst.set_final(self.vertices - 1)
        for u, token, cost, v in self.arcs():
            fst.add_arc(u, pynini.Arc(token + 1, token + 1, cost, v))  # type: ignore[attr-defined]
        return fst


def _by_likelihood(entries: list[tuple[T, float]]) -> list[tuple[T, float]]:
    return sorted(entries, key=lambda entry: -entry[1])


def make_lattice(
    emissions: Sequence[Sequence[tuple[int, float]]],
    transitions: Sequence[Sequence[tuple[int, float]]],
    surfaces: Sequence[bytes | None],
) -> Lattice:
    """A lattice from lists: per vertex (token id, cost) and (next vertex, cost)."""
    if len(emissions) != len(transitions):
        raise InvalidInput.of("transitions", f"have one entry per vertex ({len(emissions)})", len(transitions))
    local: dict[int, int] = {}
    emit_begin, emit_token, emit_cost, arc_begin, arc_to, arc_cost = [0], [], [], [0], [], []
    for here, onward in zip(emissions, transitions, strict=True):
        for token, cost in here:
            emit_token.append(local.setdefault(token, len(local)))
            emit_cost.append(cost)
        emit_begin.append(len(emit_token))
        for vertex, cost in onward:
            arc_to.append(vertex)
            arc_cost.append(cost)
        arc_begin.append(len(arc_to))
    for token in local:
        if not 0 <= token < len(surfaces):
            raise InvalidInput.of("token id", f"be between 0 and {len(surfaces) - 1}", token)
    core = _core.make_lattice(
        np.array(emit_begin, np.int32),
        np.array(emit_token, np.int32),
        np.array(emit_cost, np.float32),
        np.array(arc_begin, np.int32),
        np.array(arc_to, np.int32),
        np.array(arc_cost, np.float32),
        np.array(list(local), np.int64),
        [surfaces[token] or b"" for token in local],
    )
    return Lattice(core)


def prune(
    dag: Dag, emissions: int = 3, transitions: int = 3, *, keep: Sequence[Phrase] = (), trusted: bool = False
) -> Lattice:
    """The lattice of the `emissions` best tokens and `transitions` best successors of every vertex.

    Every token of the phrases to `keep` (texts, spelled by the Dag's tokens, or token ids) joins every vertex with
    its true probability, and every vertex keeps its arcs to the next and to the last one: the phrases alone are then
    satisfiable whenever their tokens fit into the vertices between first and last. Tokens without a surface never
    enter. Control-DAG Algorithm 1; unlike Algorithm 2, phrase tokens need no predecessor that emits the one before.
    `trusted`: the Dag comes straight from a model's log-softmax, so that its rows need no checking again.
    """
    for name, value in (("emissions", emissions), ("transitions", transitions)):
        if value < 1:
            raise InvalidInput.of(name, "be at least 1", value)
    if not trusted:
        dag.check()
    kept = sorted({token for phrase in keep for token in spelled(dag, phrase)})
    ids, costs = best_tokens(dag, emissions)
    extra = dag.log_probabilities(kept) if kept else np.empty((dag.vertices, 0), np.float32)
    onward = np.ascontiguousarray(dag.transitions, np.float32)
    return Lattice(_core.prune(ids, costs, np.array(kept, np.int64), extra, onward, transitions, dag.surfaces.core))


def spelled(dag: Dag, phrase: Phrase) -> Sequence[int]:
    """The token ids of a phrase: as given, or as the Dag's tokens spell the text."""
    tokens = dag.surfaces.spell(phrase) if isinstance(phrase, str) else phrase
    for token in tokens:
        if not dag.surfaces.speaks(token):
            raise InvalidInput.of("keep", "hold ids of tokens that have a surface", token)
    return tokens


def best_tokens(dag: Dag, count: int) -> tuple[Ids, Floats]:
    """The `count` likeliest speaking tokens of every vertex and their log-probabilities: two [vertices, <= count]."""
    scores = dag.emissions
    ids: Any = dag.token_ids
    speaking = dag.surfaces.speaking
    # The engine leaves tokens without a surface out by itself; here they only must not take another's place.
    if ids is None or scores.shape[1] > count:
        scores = np.where(speaking[None, :] if ids is None else speaking[ids], scores, -np.inf).astype(np.float32)
    if scores.shape[1] > count:
        chosen = np.argpartition(-scores, count - 1, axis=1)[:, :count]
        scores = np.take_along_axis(scores, chosen, axis=1)
        ids = chosen if ids is None else np.take_along_axis(ids, chosen, axis=1)
    elif ids is None:
        ids = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.ascontiguousarray(ids, np.int64), np.ascontiguousarray(scores, np.float32)
