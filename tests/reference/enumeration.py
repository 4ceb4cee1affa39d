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

    @property
    def probability(self) -> float:
        return math.exp(-self.cost)


@dataclass(frozen=True, slots=True)
class Best:
    """A string with the least objective of all its readings."""

    text: bytes
    objective: float
    cost: float


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
            best[reading.text] = Best(reading.text, objective, cost)
    return sorted(best.values(), key=lambda found: (found.objective, found.text))[:n]


def string_costs(lattice: Lattice, constraint: Constraint | None = None) -> dict[bytes, float]:
    """The least cost of every accepted string over its paths and segmentations."""
    return {found.text: found.cost for found in best_by_enumeration(lattice, constraint, None, None)}


def language_probability(lattice: Lattice, constraint: Constraint | None = None, length: Length | None = None) -> float:
    """The summed probability of every path that satisfies constraint and length bounds."""
    return math.fsum(reading.probability for reading, _ in accepted(lattice, constraint, length))


def length_distribution(
    lattice: Lattice, constraint: Constraint | None = None, length: Length | None = None
) -> dict[int, float]:
    """By length: its share of the probability of all accepted paths."""
    mass: dict[int, float] = defaultdict(float)
    for reading, _ in accepted(lattice, constraint, length):
        mass[reading.length] += reading.probability
    total = math.fsum(mass.values())
    return {size: value / total for size, value in sorted(mass.items())}


Step = tuple[int, int]
"""A vertex and the token it emits; (last vertex, -1) ends the text."""


def step_probabilities(
    lattice: Lattice, constraint: Constraint | None, length: Length | None, prefix: tuple[Step, ...] = ()
) -> dict[Step, float]:
    """How likely each next step is after a prefix of steps, given that the whole path is accepted."""
    mass: dict[Step, float] = defaultdict(float)
    for reading, _ in accepted(lattice, constraint, length):
        steps = (*zip(reading.vertices, reading.tokens, strict=True), (lattice.vertices - 1, -1))
        if steps[: len(prefix)] == prefix and len(steps) > len(prefix):
            mass[steps[len(prefix)]] += reading.probability
    total = math.fsum(mass.values())
    return {step: value / total for step, value in mass.items()}
