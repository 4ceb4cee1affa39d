"""Graphs with arcs from every vertex to many later ones, and tokens of two letters, which tell automata apart."""

from __future__ import annotations

import itertools
from functools import lru_cache
from random import Random

import numpy as np

from controldag.constraints import Constraint, contains, pattern
from controldag.dag import Dag
from controldag.lattice import Lattice, prune
from controldag.search import NgramWeights
from controldag.surfaces import Surfaces

LETTERS = tuple("".join(each).encode() for n in range(1, 10) for each in itertools.product("ab", repeat=n))
WORDS = tuple(f" w{number}".encode() for number in range(2_000))


@lru_cache(maxsize=2)
def dense_lattice(tokens: tuple[bytes, ...], vertices: int, candidates: int, reach: int, seed: int = 0) -> Lattice:
    """Each vertex has so many of the tokens, and an arc to each of the next `reach` vertices."""
    rng = np.random.default_rng(seed)
    chosen = [np.sort(rng.choice(len(tokens), candidates, replace=False)) for _ in range(vertices)]
    emissions = rng.dirichlet(np.ones(candidates), vertices) + 1e-9
    transitions = np.full((vertices, vertices), -np.inf)
    for vertex in range(vertices - 1):
        shares = rng.dirichlet(np.ones(min(reach, vertices - 1 - vertex))) + 1e-9
        transitions[vertex, vertex + 1 : vertex + 1 + len(shares)] = np.log(shares / shares.sum())
    logs = np.log(emissions / emissions.sum(axis=1, keepdims=True))
    dag = Dag(logs, transitions, Surfaces(tokens), token_ids=np.stack(chosen))
    return prune(dag, candidates, reach)


def letter_demands(rng: Random) -> list[Constraint]:
    """Up to thirty automata with hundreds to thousands of states each."""
    made: list[Constraint] = []
    for _ in range(rng.choice((1, 3, 8, 30))):
        n = rng.randint(3, 12)
        form = rng.choice(("(a|b)*a(a|b){%d}$", "a.{%d}b", "[ab]{%d}"))
        each = pattern(form % n) if rng.random() < 0.6 else contains("".join(rng.choices("ab", k=n)))
        made.append(each.soft(rng.choice((0.5, 6.0, 1e9))) if rng.random() < 0.3 else each)
    return made


def pair_weights(rng: Random, lattice: Lattice, pairs: int = 12) -> NgramWeights:
    """A language model of pairs, of which it knows a few for every token."""
    tokens = sorted(lattice.surfaces())
    known = {(token, other): rng.uniform(0.1, 6.0) for token in tokens for other in rng.choices(tokens, k=pairs)}
    single = {(token,): 4.0 for token in tokens}
    return NgramWeights.language_model({**known, **single}, dict.fromkeys(single, 1.0), unknown=9.0, scale=0.5)
