"""Phrases alone are satisfiable whenever their tokens fit into the vertices between the first and the last."""

from __future__ import annotations

from random import Random

import pytest

from controldag.constraints import all_of, contains
from controldag.dag import Dag
from controldag.lattice import prune
from controldag.search.exact import best_strings
from tests.reference.dags import PIECES, proper_dag

LETTERS = "ab c"


def random_phrases(rng: Random, room: int, dag: Dag) -> list[str]:
    """Phrases whose tokens fill at most `room` vertices together, often all of it."""
    phrases: list[str] = []
    while True:
        phrase = "".join(rng.choice(LETTERS) for _ in range(rng.randint(1, 4))).strip() or "a"
        room -= len(dag.surfaces.spell(phrase))
        if room < 0:
            return phrases
        phrases.append(phrase)


@pytest.mark.parametrize("seed", range(200))
def test_phrases_that_fit_are_satisfiable(seed: int) -> None:
    rng = Random(seed)
    dag = proper_dag(rng.randint(3, 14), seed, PIECES)
    phrases = random_phrases(rng, dag.vertices - 2, dag)
    if not phrases:
        return
    width = rng.randint(1, 3)
    lattice = prune(dag, width, width, keep=phrases)
    wanted = all_of(*(contains(phrase, own=rng.random() < 0.5) for phrase in phrases))
    found = best_strings(lattice, wanted)
    assert found, (phrases, dag.vertices)
    assert found[0].length <= dag.vertices - 1


def test_a_phrase_longer_than_the_graph_cannot_be_said() -> None:
    dag = proper_dag(5)
    phrase = "c" * 12
    assert best_strings(prune(dag, keep=[phrase]), contains(phrase)) == []
