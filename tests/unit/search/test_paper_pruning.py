"""Algorithms 1 and 2 of the paper, with and without first-token forcing, and bad arguments of the classic searches."""

from __future__ import annotations

import numpy as np
import pytest

from controldag.constraints import contains
from controldag.dag import Dag
from controldag.errors import InvalidInput, LatticeTooLarge
from controldag.search.beam import beam
from controldag.search.cbs_dag import cbs_dag
from controldag.search.exact import Limits
from controldag.search.paper import DfsOptions, dfs_viterbi, prune_paper
from controldag.surfaces import Surfaces
from tests.reference import classic

PIECES = [None, *(f" w{i}".encode() for i in range(11))]


def random_dag(seed: int, vertices: int = 20) -> Dag:
    rng = np.random.default_rng(seed)

    def log_softmax(scores: np.ndarray) -> np.ndarray:
        return (scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))).astype(np.float32)

    emissions = log_softmax(2 * rng.normal(size=(vertices, len(PIECES))))
    transitions = np.full((vertices, vertices), -np.inf, np.float32)
    for v in range(vertices - 1):
        # Near successors, so that the last vertex is reached.
        scores = 2 * rng.normal(size=(1, vertices - 1 - v)) - np.arange(vertices - 1 - v)
        transitions[v, v + 1 :] = log_softmax(scores)[0]
    return Dag(emissions, transitions, Surfaces(PIECES))


def pruned_by_hand(dag: Dag, count: int) -> tuple[list[list[int]], list[list[int]]]:
    """Top tokens that have a surface, and top successors, of every vertex."""
    top = [[int(t) for t in np.argsort(-row) if t][:count] for row in dag.emissions]
    onward = [[int(v) for v in np.argsort(-row)[:count] if np.isfinite(row[v])] for row in dag.transitions]
    return top, onward


@pytest.mark.parametrize("seed", range(20))
def test_as_printed_equals_the_algorithm_read_aloud(seed: int) -> None:
    dag, phrases = random_dag(seed), [[1, 2, 3], [4, 5]]
    top, onward = pruned_by_hand(dag, 3)
    expected = classic.force_emit(top, onward.__getitem__, phrases)
    found = prune_paper(dag, 3, 3, phrases, first_token="as-printed")
    for v in range(1, dag.vertices - 1):
        emitted = dict(found.emissions()[v])
        assert set(emitted) == expected[v], v
        assert all(cost == pytest.approx(-dag.emissions[v, token], abs=1e-5) for token, cost in emitted.items())
    assert [[to for to, _ in arcs] for arcs in found.transitions()] == [sorted(v) for v in onward]


@pytest.mark.parametrize("seed", range(20))
def test_first_tokens_are_forced_where_they_are_likeliest(seed: int) -> None:
    dag, phrase = random_dag(seed), [7, 8]
    printed = prune_paper(dag, 1, 2, [phrase], first_token="as-printed").emissions()
    forced = prune_paper(dag, 1, 2, [phrase]).emissions()
    best = set(np.argsort(-dag.emissions[:, 7])[:6])  # 30 % of 20
    for v in range(1, dag.vertices - 1):
        said = {token for token, _ in forced[v]}
        assert {token for token, _ in printed[v]} <= said
        assert (7 in said) == (v in best or 7 in dict(printed[v]))


def test_arguments() -> None:
    dag = random_dag(0)
    with pytest.raises(InvalidInput, match="first_token"):
        prune_paper(dag, first_token="all")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="emissions"):
        prune_paper(dag, 0)
    lattice = prune_paper(dag)
    with pytest.raises(InvalidInput, match="`size` must be between 1 and"):
        beam(lattice, 0)
    with pytest.raises(InvalidInput, match="phrases"):
        cbs_dag(lattice, [[]])
    with pytest.raises(InvalidInput, match="tokens in all"):
        cbs_dag(lattice, [[1] * 100_000])
    with pytest.raises(InvalidInput, match="share"):
        dfs_viterbi(lattice, target=5, options=DfsOptions(share=0))
    with pytest.raises(InvalidInput, match="successors"):
        dfs_viterbi(lattice, target=5, options=DfsOptions(successors=0))
    with pytest.raises(InvalidInput, match="soft"):
        dfs_viterbi(lattice, contains("w1").soft(1.0), target=5)
    with pytest.raises(LatticeTooLarge, match="beam"):
        beam(lattice, 100, limits=Limits(max_states=5))
    with pytest.raises(LatticeTooLarge, match="composition"):
        dfs_viterbi(lattice, target=5, limits=Limits(max_states=5))


def test_nothing_found_is_said() -> None:
    lattice = prune_paper(random_dag(0), first_token="as-printed")
    assert cbs_dag(lattice, [[99]]) is None
    assert dfs_viterbi(lattice, contains("not there"), target=5) is None
