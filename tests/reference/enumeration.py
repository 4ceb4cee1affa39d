"""Every path of a tiny lattice, one by one: what the engine's results are held against."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controldag.constraints import Constraint, Length
from controldag.constraints.check import penalty, satisfies
from controldag.lattice import Lattice


@dataclass(frozen=True, slots=True)
class Reading:
    """One vertex path with one token for each vertex."""

    text: bytes
    tokens: tuple[int, ...]
    vertices: tuple[int, ...]
    cost: float

    @property
    def length(self) -> int:
        return len(self.tokens) + 1


@dataclass(frozen=True, slots=True)
class Best:
    """A string with the least objective of all its readings."""

    text: bytes
    objective: float
    cost: float
    penalty: float = 0.0  # the part of `cost` that is penalties


def surface_text(lattice: Lattice, tokens: tuple[int, ...]) -> bytes:
    """The tokens' bytes, minus one leading blank."""
    surfaces = lattice.surfaces()
    return b"".join(surfaces[token] for token in tokens).removeprefix(b" ")


def enumerate_paths(lattice: Lattice) -> Iterator[Reading]:
    """Every reading of the lattice with a text that is not empty."""
    emissions, transitions, surfaces = lattice.emissions(), lattice.transitions(), lattice.surfaces()
    last = lattice.vertices - 1

    def onward(vertex: int, tokens: tuple[int, ...], vertices: tuple[int, ...], cost: float) -> Iterator[Reading]:
        for to, arc_cost in transitions[vertex]:
            if to == last:
                text = b"".join(surfaces[token] for token in tokens).removeprefix(b" ")
                if text:
                    yield Reading(text, tokens, vertices, cost + arc_cost)
                continue
            for token, emission_cost in emissions[to]:
                yield from onward(to, (*tokens, token), (*vertices, to), cost + arc_cost + emission_cost)

    yield from onward(0, (), (), 0.0)


def length_weight(length: Length | None, tokens_and_one: int) -> float:
    """What a string of this length has its cost multiplied by (Control-DAG Eqs. 3, 4); infinite if not allowed."""
    if length is None:
        return 1.0
    if length.exact is not None and tokens_and_one != length.exact:
        return math.inf
    if length.minimum is not None and tokens_and_one < length.minimum:
        return math.inf
    if length.maximum is not None and tokens_and_one > length.maximum:
        return math.inf
    weight = tokens_and_one**-length.normalisation
    if length.target is not None and tokens_and_one < length.target:
        weight *= math.exp(length.strictness * (length.target / tokens_and_one - 1))
    return float(weight)


def checker(constraint: Constraint | None) -> Callable[[Reading], float]:
    """A function from readings to their penalty: infinite where a hard constraint is violated."""
    known: dict[tuple[bytes, tuple[int, ...]], float] = {}

    def judge(reading: Reading) -> float:
        key = (reading.text, reading.tokens)
        if key not in known:
            good = satisfies(constraint, reading.text, reading.tokens)
            known[key] = penalty(constraint, reading.text, reading.tokens) if good else math.inf
        return known[key]

    return judge


def accepted(lattice: Lattice, constraint: Constraint | None, length: Length | None) -> list[tuple[Reading, float]]:
    """Every reading that satisfies constraint and length, with its penalty."""
    judge = checker(constraint)
    judged = ((reading, judge(reading)) for reading in enumerate_paths(lattice))
    return [
        (reading, extra)
        for reading, extra in judged
        if extra < math.inf and length_weight(length, reading.length) < math.inf
    ]


def best_by_enumeration(
    lattice: Lattice, constraint: Constraint | None = None, length: Length | None = None, n: int | None = 1
) -> list[Best]:
    """The `n` distinct strings of least objective (None: all), best first."""
    best: dict[bytes, Best] = {}
    for reading, extra in accepted(lattice, constraint, length):
        cost = reading.cost + extra
        objective = length_weight(length, reading.length) * cost
        known = best.get(reading.text)
        if known is None or objective < known.objective:
            best[reading.text] = Best(reading.text, objective, cost, extra)
    return sorted(best.values(), key=lambda found: (found.objective, found.text))[:n]


def string_costs(lattice: Lattice, constraint: Constraint | None = None) -> dict[bytes, float]:
    """The least cost of every accepted string over its paths and segmentations."""
    return {found.text: found.cost for found in best_by_enumeration(lattice, constraint, None, None)}


def weighted(lattice: Lattice, constraint: Constraint | None, length: Length | None) -> list[tuple[Reading, float]]:
    """Every accepted reading with its probability, times exp(-penalty) for the preferences it violates.

    Those whose penalties leave nothing of it in double precision are left out.
    """
    masses = ((reading, math.exp(-reading.cost - extra)) for reading, extra in accepted(lattice, constraint, length))
    return [(reading, mass) for reading, mass in masses if mass > 0]


def language_probability(lattice: Lattice, constraint: Constraint | None = None, length: Length | None = None) -> float:
    """The summed probability of every path that satisfies constraint and length bounds."""
    return math.fsum(mass for _, mass in weighted(lattice, constraint, length))


Step = tuple[int, int]
"""A vertex and the token it emits; (last vertex, -1) ends the text."""


def steps_of(lattice: Lattice, reading: Reading) -> tuple[Step, ...]:
    """What is chosen along a reading, the end included."""
    return (*zip(reading.vertices, reading.tokens, strict=True), (lattice.vertices - 1, -1))


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over every accepted path, all but the first given that the path is accepted."""

    probability: float
    by_length: dict[int, float]
    by_emission: dict[Step, float]  # (vertex, token)
    by_vertex: dict[int, float]
    ngrams: dict[tuple[int, ...], float]  # expected counts
    after: dict[tuple[Step, ...], dict[Step, float]]  # by prefix of steps: how likely each next step is


def sums_by_enumeration(
    lattice: Lattice, constraint: Constraint | None = None, length: Length | None = None, order: int = 3
) -> Sums:
    """Everything the engine can say of the constrained language; the language must not be empty."""
    readings = weighted(lattice, constraint, length)
    total = math.fsum(mass for _, mass in readings)
    sums = Sums(total, defaultdict(float), defaultdict(float), defaultdict(float), defaultdict(float), {})
    for reading, mass in readings:
        share = mass / total
        sums.by_length[reading.length] += share
        for vertex in (0, *reading.vertices, lattice.vertices - 1):
            sums.by_vertex[vertex] += share
        for emission in zip(reading.vertices, reading.tokens, strict=True):
            sums.by_emission[emission] += share
        for n in range(1, order + 1):
            for i in range(len(reading.tokens) - n + 1):
                sums.ngrams[reading.tokens[i : i + n]] += share
        steps = steps_of(lattice, reading)
        for i, step in enumerate(steps):
            nexts = sums.after.setdefault(steps[:i], {})
            nexts[step] = nexts.get(step, 0.0) + share
    for prefix, nexts in sums.after.items():
        mass = math.fsum(nexts.values())
        sums.after[prefix] = {step: share / mass for step, share in nexts.items()}
    return sums
