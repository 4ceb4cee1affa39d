"""The engine's benchmark at tiny sizes: same lattices, same costs, honest figures."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from benchmarks.engine import command
from benchmarks.engine.plots import comparison_png, sweeps_png
from benchmarks.engine.pynini_length import (
    ExportedFst,
    dfs_viterbi,
    exact_by_length_in_arrays,
    exact_by_length_in_lists,
)
from benchmarks.engine.run import (
    BenchOptions,
    Setting,
    byte_constraint,
    compare,
    decode,
    length_for,
    paper_cells,
)
from benchmarks.engine.sweeps import (
    Point,
    SweepOptions,
    measure_batch,
    measure_point,
    points,
    worst_point,
)
from benchmarks.engine.synthetic_dags import (
    BOS,
    EOS,
    DagShape,
    SyntheticDag,
    SyntheticVocabulary,
    make_dags,
)
from controldag.cli.main import app
from controldag.constraints.length import Length
from controldag.errors import InvalidInput
from controldag.lattice import prune

TINY = DagShape(vertices=30, candidates=3, phrases=2, phrase_tokens=2, length=12, spread=0.3)


@pytest.fixture(scope="module")
def words() -> SyntheticVocabulary:
    return SyntheticVocabulary(60)


def some_dags(words: SyntheticVocabulary, shape: DagShape = TINY, count: int = 12) -> list[SyntheticDag]:
    return list(itertools.islice(make_dags(words, shape), count))


def test_dags_are_proper_and_reproducible(words: SyntheticVocabulary) -> None:
    for dag, again in zip(some_dags(words), some_dags(words), strict=True):
        dag.dag(words.surfaces).check()
        assert np.array_equal(dag.token_ids, again.token_ids)
        assert np.array_equal(dag.transitions, again.transitions)
        assert len(dag.reference) == TINY.length
        assert not np.isin(dag.token_ids[1:-1], (BOS, EOS)).any()
        assert all(len(set(row)) == TINY.candidates for row in dag.token_ids.tolist())
        assert (np.isfinite(dag.transitions[:-1]).sum(axis=1) <= TINY.candidates).all()


def test_every_phrase_token_at_every_vertex(words: SyntheticVocabulary) -> None:
    (dag,) = some_dags(words, DagShape(vertices=20, length=10, phrases=1, everywhere=True), 1)
    lattice = prune(dag.dag(words.surfaces), 3, 3, keep=dag.phrases)
    for row in lattice.emissions()[1:-1]:
        assert set(dag.phrases[0]) <= {token for token, _ in row}


def test_bad_shapes() -> None:
    with pytest.raises(InvalidInput, match="length"):
        DagShape(vertices=20, length=19)
    with pytest.raises(InvalidInput, match="phrases"):
        DagShape(phrases=4, length=10)
    with pytest.raises(InvalidInput, match="size"):
        SyntheticVocabulary(0)


def test_peers_read_the_engines_lattice(words: SyntheticVocabulary) -> None:
    pytest.importorskip("pynini")
    from benchmarks.engine.pynini_peers import _arcs

    for dag in some_dags(words):
        lattice = prune(dag.dag(words.surfaces), 3, 3, keep=dag.phrases)
        ours = {(u, token, v): cost for u, token, cost, v in lattice.arcs() if u > 0}
        theirs = {(u, label - 1, v): cost for u, label, cost, v in _arcs(dag) if 0 < u < dag.shape.vertices - 1}
        assert ours.keys() == theirs.keys()
        assert all(abs(ours[key] - theirs[key]) < 1e-5 for key in ours)


def test_byte_level_agrees_with_token_level(words: SyntheticVocabulary) -> None:
    found = 0
    for dag in some_dags(words):
        by_token, by_byte = decode(words, dag, None), decode(words, dag, None, byte_constraint)
        if by_byte is None:
            continue  # a text that opens with punctuation has no chunk to carry it
        assert by_token is not None
        assert by_token.cost <= by_byte.cost + 1e-4
        assert all(words.text(phrase) in by_byte.text for phrase in dag.phrases)
        found += 1
    assert found > 0


def test_length_programmes_agree() -> None:
    # Two ways to state 3: short and dear, long and cheap; DFS-Viterbi only follows what is likely.
    fst = ExportedFst([[(5.0, 7, 3), (1.0, 8, 1)], [(1.0, 9, 2)], [(1.0, 10, 3)], []], [np.inf, np.inf, np.inf, 0.0])
    for exact in (exact_by_length_in_lists, exact_by_length_in_arrays):
        found = exact(fst, 5)
        assert found.costs == {1: 5.0, 3: 3.0}
        assert (found.labels(1), found.labels(3)) == ([7], [8, 9, 10])
        assert exact(fst, 2).costs == {1: 5.0}
        assert exact(ExportedFst([], []), 5).costs == {}
    pruned = dfs_viterbi(fst, 5)
    assert pruned.costs == {3: 3.0}
    assert pruned.labels(3) == [8, 9, 10]


@pytest.fixture(scope="module")
def figures() -> dict[str, object]:
    pytest.importorskip("pynini")
    cells = [Setting("tiny", TINY), Setting("tiny, K=4", DagShape(vertices=30, candidates=4, length=12, phrases=1))]
    return compare(cells, BenchOptions(cases=4, repetitions=2, words=60))


def test_compare(figures: dict[str, object]) -> None:
    assert figures["worse_cost"] == 0
    assert figures["cases"] == 8
    cells = figures["cells"]
    assert isinstance(cells, list)
    for cell in cells:
        # The exact peers find the same optimum, and all systems agree on what is infeasible.
        assert cell["tuned_costs_more"] == cell["tuned_lists_costs_more"] == 0
        assert cell["tuned_found_nothing"] == cell["infeasible"]
        assert cell["ours"]["median_ms"] > 0
        assert cell["speedup_vs_paper"] == pytest.approx(cell["paper"]["cpu_ms"] / cell["ours"]["cpu_ms"])
    assert comparison_png(figures).startswith(b"\x89PNG")


def test_the_paper_cells_are_the_issues() -> None:
    shapes = [cell.shape for cell in paper_cells()]
    assert [(s.candidates, s.spread) for s in shapes] == [(3, 0.0), (5, 0.0), (3, 0.3), (5, 0.3)]
    assert all((s.vertices, s.phrases, s.phrase_tokens) == (200, 3, 3) for s in shapes)
    assert {point.sweep for point in points()} == {"phrases", "vertices", "Ke = Kt", "words", "length"}
    assert (worst_point().shape.phrases, worst_point().shape.everywhere) == (8, True)


def test_length_for_allows_a_little_more_than_the_target(words: SyntheticVocabulary) -> None:
    assert length_for(some_dags(words)[0]) == Length(target=13, strictness=1.0, maximum=23)


def test_sweeps_measure_latency_and_memory() -> None:
    options = SweepOptions(cases=2, repetitions=1, batch=4)
    measured = measure_point(Point("phrases", 2, TINY, words=60), options)
    assert measured["tokens"]["median_ms"] > 0
    assert measured["bytes"]["p99_ms"] >= measured["bytes"]["median_ms"]
    batch = measure_batch(TINY, 6, rounds=1)
    assert batch["same_results"]
    assert batch["speedup"] > 0
    sweeps = {"latency": {"phrases": [measured, {**measured, "value": 3}]}, "worst": measured, "batch": batch}
    assert sweeps_png(sweeps).startswith(b"\x89PNG")


def test_command_prints_one_json_object(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pynini")
    monkeypatch.setattr(command, "paper_cells", lambda: [Setting("tiny", TINY)])
    result = CliRunner().invoke(app, ["bench", "engine", "--quick", "--cases", "2", "--json", "--quiet"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout.splitlines()[-1])
    assert {"speedup_vs_paper", "speedup_vs_tuned", "worse_cost", "cases", "median_ms", "cells"} <= figures.keys()
    assert figures["real"]["worse_cost"] == 0 and figures["real"]["cases"] == 2
    shown = CliRunner().invoke(app, ["bench", "engine", "--quick", "--cases", "1", "--quiet"])
    assert "median over cells" in shown.stdout and "DAGs that sgd-mini predicts" in shown.stdout
