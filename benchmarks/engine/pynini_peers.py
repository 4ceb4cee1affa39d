"""Control-DAG decoding with pynini: the paper's pipeline and a tuned one, as peers to measure the engine against.

Both see the same arrays as the engine. A request is `compose` (arrays to the constrained acceptor) and then either
`shortest` (no length control) or `controlled` (with it). What a server would build once is built in the constructor
and not timed. Labels are token ids + 1: 0 is epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from benchmarks.engine.pynini_length import (
    ByLength,
    dfs_viterbi,
    exact_by_length_in_arrays,
    exact_by_length_in_lists,
    exported,
)
from benchmarks.engine.synthetic_dags import BOS, EOS, SyntheticDag, SyntheticVocabulary, Tokens
from controldag.constraints.length import Length
from controldag.errors import MissingDependency

TOKEN_TABLE = 32_128  # T5's vocabulary, as wide as the paper's wildcard

Fst = Any  # pynini has no types


@dataclass(frozen=True, slots=True)
class PeerResult:
    """Surface tokens, their cost, and cost times the length penalty."""

    tokens: Tokens
    cost: float
    objective: float


class Peer(Protocol):
    """One way to decode with pynini."""

    name: str

    def compose(self, dag: SyntheticDag) -> Fst:
        """The lattice composed with every constraint."""

    def controlled(self, fst: Fst, length: Length) -> PeerResult | None:
        """The string of least objective it finds; None if it finds none."""


class PaperPeer:
    """As the paper's released code: wildcards over the whole token table, phrases as `.* phrase .*` by concatenation,
    the closure of the dictionary with its epsilons, composed from left to right; DFS-Viterbi with p = 0.7."""

    name = "paper"

    def __init__(self, vocabulary: SyntheticVocabulary) -> None:
        self.words = _dictionary(vocabulary)
        self.wildcard = _wildcard(range(TOKEN_TABLE))

    def compose(self, dag: SyntheticDag) -> Fst:
        pynini = _pynini()
        allowed = pynini.union(self.words, *map(_chain, dag.phrases)).closure()
        fst = (_acceptor(_arcs(dag), dag.shape.vertices) @ allowed).rmepsilon()
        for phrase in dag.phrases:
            fst = fst @ (self.wildcard + _chain(phrase) + self.wildcard)
        return fst

    def controlled(self, fst: Fst, length: Length) -> PeerResult | None:
        return _best_length(dfs_viterbi(exported(fst), _max_arcs(length)), length)


class TunedPeer:
    """The best we know how to do with pynini: KMP automata over the lattice's own labels, a closure freed of epsilons
    once, phrases composed before the dictionary; an exact dynamic programme over lengths on the exported arcs."""

    name = "tuned"

    def __init__(self, vocabulary: SyntheticVocabulary) -> None:
        self.closure = _epsilon_free_closure(_dictionary(vocabulary))

    def compose(self, dag: SyntheticDag) -> Fst:
        pynini = _pynini()
        arcs = _arcs(dag)
        labels = sorted({label for _, label, _, _ in arcs})
        fst = _acceptor(arcs, dag.shape.vertices)
        for phrase in dag.phrases:
            fst = pynini.compose(fst, _kmp(phrase, labels), connect=True)
        return pynini.compose(fst, _with_phrases(self.closure, dag.phrases), connect=True)

    def controlled(self, fst: Fst, length: Length) -> PeerResult | None:
        return _best_length(exact_by_length_in_arrays(exported(fst), _max_arcs(length)), length)


class TunedListsPeer(TunedPeer):
    """The tuned peer with its dynamic programme in plain Python, without NumPy."""

    name = "tuned_lists"

    def controlled(self, fst: Fst, length: Length) -> PeerResult | None:
        return _best_length(exact_by_length_in_lists(exported(fst), _max_arcs(length)), length)


def shortest(fst: Fst) -> PeerResult | None:
    """The best string of any length."""
    path = _pynini().shortestpath(fst)
    if path.num_states() == 0:
        return None
    labels: list[int] = []
    state, cost = path.start(), 0.0
    while (arc := next(iter(path.arcs(state)), None)) is not None:
        if arc.ilabel:
            labels.append(arc.ilabel)
        cost += float(arc.weight)
        state = arc.nextstate
    return PeerResult(_surface(labels), cost, cost)


def _best_length(by_length: ByLength, length: Length) -> PeerResult | None:
    """The least of cost times length penalty (Control-DAG Eqs. 3 and 4); keys count `<s>` and `</s>` as arcs."""
    weights = length.weights(max(by_length.costs, default=1))
    objectives = {arcs: float(cost * weights[arcs - 1]) for arcs, cost in by_length.costs.items() if arcs > 0}
    best = min(objectives, key=lambda arcs: objectives[arcs], default=0)
    if not math.isfinite(objectives.get(best, math.inf)):
        return None
    return PeerResult(_surface(by_length.labels(best)), by_length.costs[best], objectives[best])


def _max_arcs(length: Length) -> int:
    assert length.maximum is not None
    return length.maximum + 1  # a length counts `</s>`, the automaton `<s>` as well


def _surface(labels: Iterable[int]) -> Tokens:
    return tuple(label - 1 for label in labels if label - 1 not in (BOS, EOS))


def _arcs(dag: SyntheticDag) -> list[tuple[int, int, float, int]]:
    """(vertex, label, cost, next vertex) of the lattice in Mealy form: the paper's DAG-to-WFSA conversion."""
    last = dag.shape.vertices - 1
    emissions = _emissions(dag)
    from_vertex, to_vertex = np.nonzero(np.isfinite(dag.transitions))
    costs = (-dag.transitions[from_vertex, to_vertex]).tolist()
    arcs = [
        (u, label, cost + arc_cost, v)
        for u, v, arc_cost in zip(from_vertex.tolist(), to_vertex.tolist(), costs, strict=True)
        for label, cost in emissions[u]
    ]
    arcs.append((last, EOS + 1, 0.0, last + 1))
    return arcs


def _emissions(dag: SyntheticDag) -> list[list[tuple[int, float]]]:
    """Per vertex (label, cost): the best tokens, and the forced phrase tokens (Algorithm 2) that are not among them."""
    emissions: list[list[tuple[int, float]]] = [
        [(token + 1, -score) for token, score in zip(ids, scores, strict=True)]
        for ids, scores in zip(dag.token_ids.tolist(), dag.emissions.tolist(), strict=True)
    ]
    vertices, columns = np.nonzero(np.isfinite(dag.kept_scores))
    scores = dag.kept_scores[vertices, columns].tolist()
    for vertex, column, score in zip(vertices.tolist(), columns.tolist(), scores, strict=True):
        label = dag.kept[column] + 1
        if all(label != known for known, _ in emissions[vertex]):
            emissions[vertex].append((label, -score))
    emissions[0] = [(BOS + 1, 0.0)]
    return emissions


def _acceptor(arcs: Sequence[tuple[int, int, float, int]], final: int) -> Fst:
    pynini = _pynini()
    fst = pynini.Fst()
    fst.add_states(final + 1)
    fst.set_start(0)
    fst.set_final(final, 0.0)
    add, arc = fst.add_arc, pynini.Arc
    for u, label, cost, v in arcs:
        add(u, arc(label, label, cost, v))
    return fst


def _chain(tokens: Sequence[int]) -> Fst:
    return _acceptor([(i, token + 1, 0.0, i + 1) for i, token in enumerate(tokens)], len(tokens))


def _wildcard(tokens: Iterable[int]) -> Fst:
    return _acceptor([(0, token + 1, 0.0, 0) for token in tokens], 0)


def _dictionary(vocabulary: SyntheticVocabulary) -> Fst:
    """The minimal automaton of all words, special tokens, `<s>` and `</s>` (Control-DAG Eq. 1, static part)."""
    pynini = _pynini()
    words = _prefix_tree([*vocabulary.words, *((token,) for token in (*vocabulary.special, BOS, EOS))])
    return pynini.determinize(words).minimize()


def _prefix_tree(words: Iterable[Tokens]) -> Fst:
    """The words' prefix tree: a union of 200,000 chains would take pynini minutes and give the same automaton."""
    pynini = _pynini()
    fst = pynini.Fst()
    fst.set_start(fst.add_state())
    nodes: dict[Tokens, int] = {(): fst.start()}
    for word in words:
        for end in range(1, len(word) + 1):
            if word[:end] not in nodes:
                nodes[word[:end]] = fst.add_state()
                label = word[end - 1] + 1
                fst.add_arc(nodes[word[: end - 1]], pynini.Arc(label, label, 0.0, nodes[word[:end]]))
        fst.set_final(nodes[word], 0.0)
    return fst


def _epsilon_free_closure(fst: Fst) -> Fst:
    """The Kleene closure of a deterministic acyclic acceptor: each arc into a final state also leads to the start."""
    pynini = _pynini()
    closed = fst.copy()
    start = closed.start()
    final = {state for state in fst.states() if math.isfinite(float(fst.final(state)))}
    for state in fst.states():
        for arc in fst.arcs(state):
            if arc.nextstate in final:
                closed.add_arc(state, pynini.Arc(arc.ilabel, arc.ilabel, 0.0, start))
    for state in final:
        closed.set_final(state, math.inf)
    closed.set_final(start, 0.0)
    return closed.connect().arcsort("ilabel")


def _with_phrases(closure: Fst, phrases: Iterable[Tokens]) -> Fst:
    """A copy of the closure with each phrase as one more word."""
    pynini = _pynini()
    fst = closure.copy()
    start = fst.start()
    for phrase in phrases:
        states = [start, *(fst.add_state() for _ in phrase[1:]), start]
        for token, here, there in zip(phrase, states, states[1:], strict=False):
            fst.add_arc(here, pynini.Arc(token + 1, token + 1, 0.0, there))
    return fst.arcsort("ilabel")


def _kmp(phrase: Tokens, labels: Sequence[int]) -> Fst:
    """The deterministic automaton of texts over `labels` that contain the phrase (Knuth, Morris and Pratt)."""
    wanted = [token + 1 for token in phrase]
    border = [0] * (len(wanted) + 1)
    for i in range(1, len(wanted)):
        k = border[i]
        while k and wanted[i] != wanted[k]:
            k = border[k]
        border[i + 1] = k + (wanted[i] == wanted[k])
    arcs = []
    for state in range(len(wanted) + 1):
        for label in labels:
            k = state
            while 0 < k < len(wanted) and wanted[k] != label:
                k = border[k]
            arcs.append((state, label, 0.0, k if k == len(wanted) else k + (wanted[k] == label)))
    return _acceptor(arcs, len(wanted))


def _pynini() -> Any:
    try:
        import pynini
    except ImportError as error:
        raise MissingDependency.of("pynini", "dev", "Comparing the engine with pynini") from error
    return pynini
