"""Re-ranking an n-best by summed probability: the best string under summed paths is intractable, among n it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from controldag import _core
from controldag.lattice import Lattice
from controldag.search.result import Hypothesis


def summed_cost(lattice: Lattice, tokens: Sequence[int], limits: _core.Limits) -> float:
    """-log of the probability of the tokens' text, summed over all its paths and segmentations in the lattice."""
    surfaces = lattice.surfaces()
    text = b"".join(surfaces[token] for token in tokens)
    text = text[1:] if text.startswith(b" ") else text
    edges = [(i, byte, byte, i + 1) for i, byte in enumerate(text)]
    exactly = _core.nfa(len(text) + 1, 0, len(text), False, edges, [], "the text")
    return -_core.Language(lattice.core, [exactly], np.empty(0), limits, False).log_probability


def rescore_by_sum(lattice: Lattice, found: Sequence[Hypothesis], limits: _core.Limits) -> list[Hypothesis]:
    """`found`, each with its summed cost, ordered by it (times the length weight that its objective carries)."""
    rescored = []
    for each in found:
        weight = each.objective / each.cost if each.cost else 1.0
        summed = summed_cost(lattice, each.tokens, limits) + each.penalty
        rescored.append((weight * summed, replace(each, summed_cost=summed)))
    return [each for _, each in sorted(rescored, key=lambda pair: pair[0])]
