"""Real DAGs for the engine's benchmark: what the pipeline searches, and the same for every system."""

from __future__ import annotations

import pytest

from benchmarks.engine.real_dags import RealDag, RealVocabulary, real_dags
from benchmarks.engine.run import BenchOptions, byte_constraint, compare_real, decode, length_for
from controldag.lattice import prune

Real = tuple[RealVocabulary, list[RealDag]]


@pytest.fixture(scope="module")
def real() -> Real:
    return real_dags()


def test_every_sample_has_a_text_by_both_kinds_of_constraints(real: Real) -> None:
    words, dags = real
    assert len(dags) == 20
    assert any(len(dag.phrases) >= 3 for dag in dags) and any(not dag.phrases for dag in dags)
    for dag in dags:
        dag.dag(words.surfaces).check()
        by_token = decode(words, dag, length_for(dag))
        by_byte = decode(words, dag, length_for(dag), byte_constraint)
        assert by_token is not None and by_byte is not None
        assert all(name in by_byte.text for name in dag.texts(words.surfaces))


def test_peers_read_the_engines_lattice(real: Real) -> None:
    pytest.importorskip("pynini")
    from benchmarks.engine.pynini_peers import _arcs

    words, dags = real
    for dag in dags[:4]:
        lattice = prune(dag.dag(words.surfaces), 3, 3, keep=dag.phrases)
        ours = {(u, token, v): cost for u, token, cost, v in lattice.arcs() if u > 0}
        theirs = {(u, label - 1, v): cost for u, label, cost, v in _arcs(dag) if 0 < u < dag.shape.vertices - 1}
        assert ours.keys() <= theirs.keys()
        assert all(abs(ours[key] - theirs[key]) < 1e-5 for key in ours)
        # What the engine drops leads nowhere: it leaves vertices that no path from first to last passes.
        passed = {u for u, _, _ in ours}
        assert {key for key in theirs if key[0] in passed} == ours.keys()


def test_the_exact_peer_finds_the_same_costs(real: Real) -> None:
    pytest.importorskip("pynini")
    words, dags = real
    small = sorted(dags, key=lambda dag: (not dag.phrases, dag.shape.vertices))[:4]
    figures = compare_real(words, small, BenchOptions(cases=4, repetitions=1, lists=False))
    assert figures["cases"] == 4 and figures["name"] == "real"
    assert figures["worse_cost"] == figures["tuned_costs_more"] == figures["infeasible"] == 0
