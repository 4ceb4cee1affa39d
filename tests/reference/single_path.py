"""Asking the engine about one text: a lattice that spells nothing else."""

from __future__ import annotations

import random
from itertools import pairwise

from controldag.constraints import Constraint
from controldag.lattice import make_lattice
from controldag.search.exact import best_strings


def accepts(constraint: Constraint, text: str, rng: random.Random) -> bool:
    """Whether the engine finds the text in a lattice that spells it alone, cut into tokens at random bytes."""
    data = b" " + text.encode()
    cuts = sorted({0, len(data), *(rng.randrange(len(data)) for _ in range(4))})
    tokens = [data[a:b] for a, b in pairwise(cuts)]
    emissions = [[], *([(i, 1.0)] for i in range(len(tokens))), []]
    transitions = [[(v + 1, 0.0)] for v in range(len(tokens) + 1)] + [[]]
    return bool(best_strings(make_lattice(emissions, transitions, tokens), constraint))
