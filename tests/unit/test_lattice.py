"""Lattices: pruning against numpy, export against path enumeration, and refusal of what is no lattice."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from controldag.errors import InvalidInput
from controldag.lattice import Lattice, make_lattice, prune
from tests.reference.cases import random_case
from tests.reference.dags import PIECES, proper_dag
from tests.reference.enumeration import enumerate_paths


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("width", [1, 2, 3, 20])
def test_prune_keeps_the_likeliest_tokens_and_transitions(seed: int, width: int) -> None:
    dag = proper_dag(9, seed)
    lattice = prune(dag, width, width)
    speaking = [token for token, piece in enumerate(PIECES) if piece is not None]
    for v, (emissions, transitions) in enumerate(zip(lattice.emissions(), lattice.transitions(), strict=True)):
        best = sorted(speaking, key=lambda token: -dag.emissions[v, token])[:width]
        expected = {token: -float(dag.emissions[v, token]) for token in best} if 0 < v < 8 else {}
        assert dict(emissions) == pytest.approx(expected)
        forward = sorted(range(v + 1, 9), key=lambda to: -dag.transitions[v, to])[:width]
        onward = {to: -float(dag.transitions[v, to]) for to in {*forward, v + 1, 8} if v < 8}
        assert dict(transitions) == pytest.approx(onward)


def labelled_paths(arcs: list[tuple[int, int, float, int]], last: int) -> dict[tuple[int, ...], float]:
    """By label sequence (0 left out): the summed probability of its paths."""
    onward = defaultdict(list)
    for begin, label, cost, end in arcs:
        onward[begin].append((label, cost, end))
    mass: dict[tuple[int, ...], float] = defaultdict(float)
    todo: list[tuple[int, tuple[int, ...], float]] = [(0, (), 0.0)]
    while todo:
        state, labels, cost = todo.pop()
        if state == last:
            mass[labels] += math.exp(-cost)
        for label, arc_cost, end in onward[state]:
            todo.append((end, (*labels, label) if label else labels, cost + arc_cost))
    return mass


def enumerated_mass(lattice: Lattice) -> dict[tuple[int, ...], float]:
    """By labels as exported: the summed probability of the paths that read them."""
    mass: dict[tuple[int, ...], float] = defaultdict(float)
    for reading in enumerate_paths(lattice):
        mass[tuple(token + 1 for token in reading.tokens)] += math.exp(-reading.cost)
    return mass


def spoken(lattice: Lattice, mass: dict[tuple[int, ...], float]) -> dict[tuple[int, ...], float]:
    """Without the texts that enumeration leaves out: no token, or a lone blank."""
    surfaces = lattice.surfaces()
    return {k: v for k, v in mass.items() if b"".join(surfaces[label - 1] for label in k).removeprefix(b" ")}


@pytest.mark.parametrize("seed", range(60))
def test_export_holds_the_same_paths(seed: int) -> None:
    lattice = random_case(seed).lattice
    expected = enumerated_mass(lattice)
    last = lattice.vertices - 1
    *lines, final = lattice.to_openfst_text().splitlines()
    rows = [line.split("\t") for line in lines]
    assert all(row[2] == row[3] for row in rows)
    arcs = [(int(row[0]), int(row[2]), float(row[4]), int(row[1])) for row in rows]
    assert int(final) == last
    assert spoken(lattice, labelled_paths(arcs, last)) == pytest.approx(expected)
    fst = pytest.importorskip("pynini") and lattice.to_pynini()
    arcs = [(s, arc.ilabel, float(arc.weight), arc.nextstate) for s in fst.states() for arc in fst.arcs(s)]
    assert spoken(lattice, labelled_paths(arcs, last)) == pytest.approx(expected)


GOOD: dict[str, Any] = {
    "emissions": [[], [(0, 1.0)], [(1, 1.0)], []],
    "transitions": [[(1, 0.5)], [(2, 0.5), (3, 1.0)], [(3, 0.0)], []],
    "surfaces": [b" a", b"b"],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"transitions": [[(1, 0.5)], [(1, 0.5)], [(3, 0.0)], []]}, "`transitions` must go forward"),
        ({"transitions": [[(1, 0.5)], [(0, 0.5)], [(3, 0.0)], []]}, "`transitions` must go forward"),
        ({"transitions": [[(1, 0.5)], [(9, 0.5)], [(3, 0.0)], []]}, "`transitions` must go forward"),
        (
            {"transitions": [[(1, 0.5)], [(2, 0.5)], [], []]},
            "must lead from the first vertex to the last",
        ),
        (
            {"transitions": [[], [(2, 0.5)], [(3, 0.0)], []]},
            "must lead from the first vertex to the last",
        ),
        ({"emissions": [[], [], [(1, 1.0)], []]}, "must lead from the first vertex to the last"),
        ({"transitions": [[(1, 0.5)]]}, "`transitions` must have one entry per vertex (4), but is 1"),
        ({"transitions": [[(1, 0.5), (1, 0.7)], [(2, 0.5)], [(3, 0.0)], []]}, "0 -> 1"),
        ({"transitions": [[(1, math.nan)], [(2, 0.5)], [(3, 0.0)], []]}, "`transition costs` must hold finite costs"),
        ({"transitions": [[(1, math.inf)], [(2, 0.5)], [(3, 0.0)], []]}, "`transition costs` must hold finite costs"),
        ({"emissions": [[], [(0, -1.0)], [(1, 1.0)], []]}, "`emission costs` must hold finite costs of at least 0"),
        ({"emissions": [[], [(0, math.nan)], [(1, 1.0)], []]}, "`emission costs` must hold finite costs of at least 0"),
        ({"emissions": [[], [(7, 1.0)], [(1, 1.0)], []]}, "`token id` must be between 0 and 1, but is 7"),
        ({"emissions": [[], [(-1, 1.0)], [(1, 1.0)], []]}, "`token id` must be between 0 and 1, but is -1"),
        ({"emissions": [[], [(0, 1.0), (0, 2.0)], [(1, 1.0)], []]}, "`emissions` must name each token once"),
        ({"emissions": [[(0, 1.0)], [(0, 1.0)], [(1, 1.0)], []]}, "`emissions` must be empty at the first"),
        ({"surfaces": [b" a", None]}, "`surface` must have at least one byte"),
        ({"emissions": [[]], "transitions": [[]]}, "`vertices` must be between 2 and"),
        ({"emissions": [], "transitions": []}, "`vertices` must be between 2 and"),
    ],
)
def test_refuses_what_is_no_lattice(change: dict[str, Any], message: str) -> None:
    assert make_lattice(**GOOD).vertices == 4
    with pytest.raises(InvalidInput, match=re.escape(message)):
        make_lattice(**{**GOOD, **change})


def test_an_empty_row_of_transitions_is_refused_where_probabilities_are_given() -> None:
    dag = proper_dag()
    dag.transitions[2] = -np.inf
    with pytest.raises(InvalidInput, match="`transitions` must have rows whose probabilities sum to 1"):
        prune(dag)


def test_a_changed_token_enters_the_lattice_with_its_new_bytes() -> None:
    pieces = (None, *PIECES[1:], None)
    dag = proper_dag(pieces=pieces)
    changed = replace(dag, surfaces=dag.surfaces.changed({len(pieces) - 1: b" San Jose"}))
    lattice = prune(changed, 2, 2, keep=["San Jose"])
    assert lattice.surfaces()[len(pieces) - 1] == b" San Jose"
    assert len(pieces) - 1 not in prune(dag, len(pieces), 2).surfaces()
