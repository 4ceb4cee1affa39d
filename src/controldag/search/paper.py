"""The paper's own pipeline, kept for its preset: Algorithms 1 and 2, and DFS-Viterbi as released (Algorithm 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from controldag import _core
from controldag.constraints.algebra import Constraint, conjuncts
from controldag.constraints.length import Length
from controldag.dag import Dag, Floats
from controldag.errors import InvalidInput
from controldag.lattice import Lattice, Phrase, best_tokens, make_lattice, spelled
from controldag.search.exact import DEFAULT_LIMITS, Limits, hypotheses
from controldag.search.result import Hypothesis

FirstToken = Literal["as-printed", "top-30%"]
FORCED_SHARE = 0.3
"""Of the vertices, by P(first token | vertex): where the released code forces a phrase's first token."""


def prune_paper(
    dag: Dag,
    emissions: int = 3,
    transitions: int = 3,
    phrases: Sequence[Phrase] = (),
    *,
    first_token: FirstToken = "top-30%",
) -> Lattice:
    """The lattice of Control-DAG Algorithms 1 and 2: top-K of both, and phrase tokens where their predecessors stand.

    A phrase's token joins a vertex when a kept predecessor emits the token before it. "as-printed" never forces the
    first token, so that a phrase whose first token the model does not propose cannot be said; "top-30%" forces it at
    the 30 % of vertices where it is likeliest, as the released code does. Unlike `prune`, no arc is added: raises
    InvalidInput when the last vertex cannot be reached.
    """
    if first_token not in ("as-printed", "top-30%"):
        raise InvalidInput.of("first_token", 'be "as-printed" or "top-30%"', first_token)
    for name, value in (("emissions", emissions), ("transitions", transitions)):
        if value < 1:
            raise InvalidInput.of(name, "be at least 1", value)
    dag.check()
    texts = [tuple(spelled(dag, phrase)) for phrase in phrases]
    onward = _best_successors(dag.transitions, transitions)
    tokens = _top_tokens(dag, emissions)
    scores = _PhraseScores(dag, texts)
    if first_token == "top-30%":
        for text in texts:
            if text:
                _force(tokens, scores, text[0], scores.likeliest(text[0], int(FORCED_SHARE * dag.vertices)))
    _force_continuations(tokens, onward, texts, scores)
    tokens[0], tokens[-1] = {}, {}
    return make_lattice([list(t.items()) for t in tokens], onward, dag.surfaces.pieces)


Emissions = list[dict[int, float]]
"""By vertex: token id to cost."""


class _PhraseScores:
    """The true log-probabilities of every phrase token at every vertex."""

    def __init__(self, dag: Dag, texts: Sequence[Sequence[int]]) -> None:
        ids = sorted({token for text in texts for token in text})
        self.columns = {token: column for column, token in enumerate(ids)}
        self.scores = dag.log_probabilities(ids) if ids else np.empty((dag.vertices, 0), np.float32)

    def of(self, vertex: int, token: int) -> float:
        return float(self.scores[vertex, self.columns[token]])

    def likeliest(self, token: int, count: int) -> Sequence[int]:
        """The vertices where the token is likeliest."""
        order = np.argsort(-self.scores[:, self.columns[token]], kind="stable")
        return [int(vertex) for vertex in order[:count]]


def _best_successors(log_transitions: Floats, count: int) -> list[list[tuple[int, float]]]:
    """By vertex: the `count` likeliest successors with their costs, in vertex order."""
    rows = []
    for row in log_transitions:
        best = np.argsort(-row, kind="stable")[:count]
        rows.append([(int(to), max(0.0, -float(row[to]))) for to in sorted(best) if np.isfinite(row[to])])
    rows[-1] = []
    return rows


def _top_tokens(dag: Dag, count: int) -> Emissions:
    ids, scores = best_tokens(dag, count)
    return [
        {int(token): max(0.0, -float(score)) for token, score in zip(*row, strict=True) if np.isfinite(score)}
        for row in zip(ids, scores, strict=True)
    ]


def _force(tokens: Emissions, scores: _PhraseScores, token: int, vertices: Sequence[int]) -> None:
    for vertex in vertices:
        score = scores.of(vertex, token)
        if np.isfinite(score):
            tokens[vertex].setdefault(token, max(0.0, -score))


def _force_continuations(
    tokens: Emissions,
    onward: Sequence[Sequence[tuple[int, float]]],
    texts: Sequence[Sequence[int]],
    scores: _PhraseScores,
) -> None:
    """Algorithm 2: vertices come in topological order, so that what was forced before counts as emitted."""
    follow = [(text[i], text[i + 1]) for text in texts for i in range(len(text) - 1)]
    # Vertex 0 emits <s> and no phrase token.
    for vertex in range(1, len(tokens)):
        for before, after in follow:
            if before in tokens[vertex]:
                _force(tokens, scores, after, [to for to, _ in onward[vertex]])


@dataclass(frozen=True, slots=True)
class DfsOptions:
    """How DFS-Viterbi prunes, as released.

    share: p; successors are kept, likeliest first, until they hold this share of the probability of all.
    successors: but no more of them than this.
    """

    share: float = 0.7
    successors: int = 3


DEFAULT_DFS = DfsOptions()


def dfs_viterbi(
    lattice: Lattice,
    constraint: Constraint | None = None,
    *,
    target: int,
    strictness: float = 1.0,
    options: DfsOptions = DEFAULT_DFS,
    limits: Limits = DEFAULT_LIMITS,
) -> Hypothesis | None:
    """The string that the paper's pruned depth-first search finds for a target length; None when nothing satisfies.

    Lattice and constraints are composed and trimmed first (here with deterministic automata; the released ones are
    not, which changes only what the pruning sees; that no text be empty joins the constraints). Of the arcs to one
    state only the cheapest counts. Paths are cut at min(target + 5, 1.5 target), but only once an end has been seen,
    and suffixes are remembered by state alone, including those the cut left incomplete. The best path of each length
    found is weighed by Eqs. 3 and 4.
    Where the released code falls back on unconstrained or empty output, this returns None.
    """
    weights = Length(target=target, strictness=strictness).weights(lattice.vertices - 1)
    longest = min(target + 5, int(1.5 * target))
    members = [member.core for member in conjuncts(constraint)]
    found = _core.search_dfs_viterbi(
        lattice.core, members, weights, options.share, options.successors, longest, limits.core()
    )
    return next(iter(hypotheses([] if found is None else [found], constraint)), None)
