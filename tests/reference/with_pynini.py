"""Larger lattices with token-level constraints, solved by pynini: composition, shortest path, and a DP over lengths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import pynini

from controldag.constraints import (
    Constraint,
    Length,
    TokenDictionary,
    all_of,
    contains_tokens,
    token_vocabulary,
)
from controldag.lattice import Lattice, make_lattice
from controldag.search.exact import best_strings

from .enumeration import length_weight

TOKENS = 60
SURFACES = [f" w{token}".encode() for token in range(TOKENS)]
"""Every token begins with a blank: distinct token sequences are distinct strings."""


@dataclass(frozen=True, slots=True)
class LargeCase:
    """One lattice with the same demands said twice: to the engine and to pynini."""

    seed: int
    lattice: Lattice
    required: tuple[tuple[int, ...], ...]
    forbidden: tuple[tuple[int, ...], ...]
    words: frozenset[tuple[int, ...]]  # empty: any
    length: Length | None

    @property
    def constraint(self) -> Constraint | None:
        members = [contains_tokens(phrase) for phrase in self.required]
        members += [~contains_tokens(phrase) for phrase in self.forbidden]
        if self.words:
            members.append(token_vocabulary(TokenDictionary(self.words)))
        return all_of(*members) if members else None


def random_large_case(seed: int) -> LargeCase:
    """50 to 200 vertices in a chain with leaps, 2 to 5 tokens each, and demands that a random walk satisfies.

    Now and then up to 1,000 vertices, or up to 32 tokens.
    """
    rng = Random(seed)
    vertices, degree = rng.randint(50, 200), rng.randint(2, 5)
    match rng.random():
        case roll if roll < 0.02:
            vertices = rng.randint(200, 1_000)
        case roll if roll < 0.04:
            degree = rng.randint(6, 32)
    emissions: list[list[tuple[int, float]]] = [[]]
    transitions: list[list[tuple[int, float]]] = []
    for v in range(vertices - 1):
        if v > 0:
            emissions.append([(t, rng.expovariate(0.5)) for t in rng.sample(range(TOKENS), degree)])
        onward = {min(v + rng.randint(1, 9), vertices - 1) for _ in range(degree)} | {v + 1}
        transitions.append([(to, rng.expovariate(0.5)) for to in sorted(onward)])
    lattice = make_lattice([*emissions, []], [*transitions, []], SURFACES)
    walk = _walk(rng, emissions, transitions, vertices - 1)
    other = _walk(rng, emissions, transitions, vertices - 1)
    required = tuple(_part(rng, walk, 4) for _ in range(rng.randint(0, 4)))
    forbidden = tuple(_part(rng, other, 3) for _ in range(rng.randint(0, 2)))
    words: set[tuple[int, ...]] = set()
    if rng.random() < 0.5:
        at = 0
        while at < len(walk):
            size = rng.randint(1, 3)
            words.add(walk[at : at + size])
            at += size
        words |= {tuple(rng.sample(range(TOKENS), rng.randint(1, 2))) for _ in range(40)}
    length = _random_length(rng, len(walk) + 1)
    return LargeCase(seed, lattice, required, forbidden, frozenset(words), length)


def _walk(
    rng: Random, emissions: list[list[tuple[int, float]]], transitions: list[list[tuple[int, float]]], last: int
) -> tuple[int, ...]:
    vertex, tokens = 0, []  # leaps are short: the walk passes through many vertices
    while True:
        vertex = rng.choice(transitions[vertex])[0]
        if vertex == last:
            return tuple(tokens)
        tokens.append(rng.choice(emissions[vertex])[0])


def _part(rng: Random, tokens: tuple[int, ...], longest: int) -> tuple[int, ...]:
    begin = rng.randrange(len(tokens))
    return tokens[begin : begin + rng.randint(1, longest)]


def _random_length(rng: Random, near: int) -> Length | None:
    kind = rng.random()
    if kind < 0.3:
        return None
    if kind < 0.4:
        return Length(exact=near)
    if kind < 0.6:
        return Length(minimum=max(1, near - 3), maximum=near + 3)
    if kind < 0.7:
        return Length(normalisation=rng.choice((0.5, 1.0)))
    return Length(target=near + rng.randint(-5, 20), strictness=rng.choice((0.5, 1.0, 2.0)))


def _acceptor(arcs: Iterable[tuple[int, int, int]], states: int, final: int) -> pynini.Fst:
    fst = pynini.Fst()
    fst.add_states(states)
    fst.set_start(0)
    fst.set_final(final)
    for begin, token, end in arcs:
        fst.add_arc(begin, pynini.Arc(token + 1, token + 1, 0.0, end))
    return fst


def _sequence(tokens: Sequence[int]) -> pynini.Fst:
    return _acceptor([(i, token, i + 1) for i, token in enumerate(tokens)], len(tokens) + 1, len(tokens))


def _anything(tokens: Iterable[int]) -> pynini.Fst:
    return _acceptor([(0, token, 0) for token in tokens], 1, 0)


def composed(case: LargeCase) -> pynini.Fst:
    """The lattice with every demand composed into it."""
    used = sorted(case.lattice.surfaces())
    anything = _anything(used)
    fst = case.lattice.to_pynini() @ (_acceptor([(0, token, 1) for token in used], 2, 1) + anything)
    holds = [(anything + _sequence(phrase) + anything).rmepsilon() for phrase in (*case.required, *case.forbidden)]
    for demand in holds[: len(case.required)]:
        fst = fst @ pynini.determinize(demand)
    for demand in holds[len(case.required) :]:
        fst = pynini.difference(fst, pynini.determinize(demand).rmepsilon())
    if case.words:
        closure = pynini.union(*[_sequence(word) for word in sorted(case.words)]).closure().rmepsilon()
        fst = fst @ pynini.determinize(closure)
    return fst.rmepsilon()


def cost_by_length(fst: pynini.Fst, longest: int) -> np.ndarray:
    """By number of labels 0 … longest: the cheapest accepting path."""
    fst = fst.copy().topsort()
    best = np.full((fst.num_states(), longest + 2), np.inf)
    total = np.full(longest + 1, np.inf)
    if fst.start() < 0:
        return total
    best[fst.start(), 0] = 0
    for state in fst.states():
        for arc in fst.arcs(state):
            onward = best[arc.nextstate, 1:-1]
            np.minimum(onward, best[state, :-2] + float(arc.weight), out=onward)
        np.minimum(total, best[state, :-1] + float(fst.final(state)), out=total)
    return total


def large_case_faults(case: LargeCase) -> list[str]:
    """What the engine and pynini disagree on."""
    fst = composed(case)
    costs = cost_by_length(fst, case.lattice.vertices)
    weighted = [(length_weight(case.length, n + 1), cost) for n, cost in enumerate(costs) if n > 0]
    expected = min((weight * cost for weight, cost in weighted if weight < math.inf), default=math.inf)
    found = best_strings(case.lattice, case.constraint, length=case.length)
    objective = found[0].objective if found else math.inf
    faults = []
    if not (math.isclose(objective, expected, rel_tol=1e-5, abs_tol=1e-5) or objective == expected):
        faults.append(f"objective {objective}, pynini has {expected}")
    if case.length is None and fst.start() >= 0:
        shortest = float(pynini.shortestdistance(fst, reverse=True)[fst.start()])
        if not math.isclose(objective, shortest, rel_tol=1e-5):
            faults.append(f"objective {objective}, pynini's shortest path has {shortest}")
    return faults
