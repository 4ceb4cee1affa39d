"""Length control over a pynini acceptor, in Python: OpenFst itself has no notion of a path's length."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arc = tuple[float, int, int]  # cost, label, next state
Way = tuple[float, int, int]  # cost of the best way on, its first label, and where that leads
Memo = dict[int, dict[int, Way]]  # by state, then by number of arcs to a final state

MAX_SUCCESSORS = 3


@dataclass(frozen=True, slots=True)
class ExportedFst:
    """An acceptor's arcs as lists: epsilon-free, states in topological order, state 0 the start."""

    arcs: list[list[Arc]]
    final: list[float]


@dataclass(frozen=True, slots=True)
class ByLength:
    """The cost of the best path by its number of arcs, and its labels on demand."""

    costs: dict[int, float]
    labels: Callable[[int], list[int]]


def exported(fst: Any) -> ExportedFst:
    """A copy without epsilons, topologically sorted, as Python lists (Control-DAG does both before DFS-Viterbi)."""
    fst = fst.copy().rmepsilon().topsort()
    arcs = [[(float(arc.weight), arc.ilabel, arc.nextstate) for arc in fst.arcs(state)] for state in fst.states()]
    return ExportedFst(arcs, [float(fst.final(state)) for state in fst.states()])


def dfs_viterbi(fst: ExportedFst, max_arcs: int, mass: float = 0.7) -> ByLength:
    """The best paths among likely successors (Control-DAG Algorithm 3, in a form that always ends). Not exact.

    Each state follows its cheapest arcs up to `mass` of the probability, three at most.
    """
    memo: Memo = {}
    # Depth first with an explicit stack: a state is finished once the successors it follows are.
    stack = [(0, _likely(fst.arcs[0], mass))] if fst.arcs else []
    while stack:
        state, followed = stack[-1]
        waiting = next((arc[2] for arc in followed if arc[2] not in memo), None)
        if waiting is not None:
            stack.append((waiting, _likely(fst.arcs[waiting], mass)))
            continue
        stack.pop()
        memo[state] = _best_by_length(followed, fst.final[state], memo, max_arcs)
    return _from_start(memo)


def exact_by_length_in_lists(fst: ExportedFst, max_arcs: int) -> ByLength:
    """The best paths of all, in plain Python."""
    memo: Memo = {}
    for state in range(len(fst.arcs) - 1, -1, -1):
        memo[state] = _best_by_length(fst.arcs[state], fst.final[state], memo, max_arcs)
    return _from_start(memo)


def exact_by_length_in_arrays(fst: ExportedFst, max_arcs: int) -> ByLength:
    """The best paths of all, with NumPy over all states of one depth at once: the fastest we found in Python."""
    counts = np.array([len(arcs) for arcs in fst.arcs], np.int64)
    if not counts.sum():
        return ByLength({}, lambda _: [])
    flat = [arc for arcs in fst.arcs for arc in arcs]
    weight, there = np.array([arc[0] for arc in flat]), np.array([arc[2] for arc in flat])
    first = np.concatenate(([0], np.cumsum(counts)))
    best = np.full((len(counts), max_arcs + 1), np.inf)
    best[:, 0] = fst.final
    depth = np.array(_depths(fst.arcs))
    order = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[order], np.arange(1, int(depth.max()) + 2))
    for low, high in itertools.pairwise(edges.tolist()):
        states = order[low:high]
        sizes = counts[states]
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        arcs = np.repeat(first[states] - starts, sizes) + np.arange(sizes.sum())
        best[states, 1:] = np.minimum.reduceat(best[there[arcs], :-1] + weight[arcs, None], starts, axis=0)

    def labels(length: int) -> list[int]:
        found: list[int] = []
        state = 0
        for rest in range(length - 1, -1, -1):
            _, label, state = min(fst.arcs[state], key=lambda arc: arc[0] + best[arc[2], rest])
            found.append(label)
        return found

    return ByLength({int(n): float(best[0, n]) for n in np.flatnonzero(np.isfinite(best[0]))}, labels)


def _depths(arcs: list[list[Arc]]) -> list[int]:
    """By state: the most arcs to an end, so that a state lies above all its successors."""
    depth = [0] * len(arcs)
    for state in range(len(arcs) - 1, -1, -1):
        depth[state] = 1 + max((depth[arc[2]] for arc in arcs[state]), default=-1)
    return depth


def _best_by_length(arcs: list[Arc], final: float, memo: Memo, max_arcs: int) -> dict[int, Way]:
    best: dict[int, Way] = {}
    if final < math.inf:
        best[0] = (final, 0, -1)
    for weight, label, there in arcs:
        for length, (cost, _, _) in memo[there].items():
            if length >= max_arcs:
                continue
            total = cost + weight
            known = best.get(length + 1)
            if known is None or total < known[0]:
                best[length + 1] = (total, label, there)
    return best


def _likely(arcs: list[Arc], mass: float) -> list[Arc]:
    """The cheapest arcs that hold `mass` of the state's probability, three at most."""
    ordered = sorted(arcs)[:MAX_SUCCESSORS]
    total = sum(math.exp(-arc[0]) for arc in arcs)
    held = 0.0
    for count, arc in enumerate(ordered, 1):
        held += math.exp(-arc[0])
        if held > mass * total:
            return ordered[:count]
    return ordered


def _from_start(memo: Memo) -> ByLength:
    def labels(length: int) -> list[int]:
        found: list[int] = []
        state = 0
        for rest in range(length, 0, -1):
            _, label, state = memo[state][rest]
            found.append(label)
        return found

    return ByLength({length: way[0] for length, way in memo.get(0, {}).items()}, labels)
