"""Statistics of data files: counts, quantiles, what train has not seen, and the picture."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest

from controldag.data.records import Act, Example, Triple
from controldag.errors import MissingDependency
from controldag.text import statistics
from controldag.text.statistics import Distribution, Statistics, count_words, measure, seen_and_unseen
from controldag.text.statistics_plot import statistics_png


def _turn(service: str, text: str) -> Example:
    return Example(id="t", service=service, acts=(Act("OFFER", "a", ("b",)), Act("BYE")), references=(text,))


def _entry(*relations: str) -> Example:
    triples = tuple(Triple("s", relation, "o") for relation in relations)
    return Example(id="e", triples=triples, references=("one two", "three"))


def _linearise(example: Example) -> str:
    return " ".join(["x"] * (len(example.acts) + 3 * len(example.triples)))


def test_quantiles_are_nearest_rank_as_numpys() -> None:
    values = np.random.default_rng(3).geometric(0.1, 500)
    distribution = Distribution(Counter(values.tolist()))
    for share in (0.5, 0.95, 0.99, 1.0):
        assert distribution.quantile(share) == np.quantile(values, share, method="inverted_cdf")
    assert distribution.mean == pytest.approx(values.mean())
    assert distribution.maximum == values.max()


def test_nothing_has_a_summary_too() -> None:
    assert set(Distribution(Counter()).summary().values()) == {0}
    assert Statistics().fit() is None


def test_everything_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BATCH", 2)  # so that five examples take three batches
    examples = [_turn("A_1", "hello you there"), _turn("B_1", ""), _entry("R", "S"), _entry("R"), Example(id="n")]
    counted = measure(examples, _linearise, count_words)
    assert (counted.records, counted.references, counted.empty_targets) == (5, 6, 1)
    assert counted.services == {"A_1": 1, "B_1": 1}
    assert counted.acts == {"OFFER": 2, "BYE": 2}
    assert counted.relations == {"R": 2, "S": 1}
    assert counted.inputs == {2: 2, 6: 1, 3: 1, 0: 1}
    assert counted.pairs == {(2, 3): 1, (2, 0): 1, (6, 2): 1, (6, 1): 1, (3, 2): 1, (3, 1): 1}
    assert counted.target_lengths.counts == {3: 1, 0: 1, 2: 2, 1: 2}


def test_the_fit_counts_the_end_on_both_sides() -> None:
    counted = Statistics(pairs=Counter({(1, 2): 3, (3, 6): 1}))
    model = counted.fit()
    assert model is not None
    assert (model.slope, model.intercept) == pytest.approx((2.0, -1.0))  # through (2, 3) and (4, 7)


def test_unseen_services_and_relations_are_found() -> None:
    train = measure([_turn("A_1", "x"), _entry("R")], _linearise, count_words)
    other = measure([_turn("A_1", "x"), _turn("B_1", "x"), _entry("R", "S"), _entry("R")], _linearise, count_words)
    assert seen_and_unseen(other, train) == {
        "records_seen": 2,
        "records_unseen": 2,
        "unseen_services": ["B_1"],
        "unseen_relations": 1,
    }


def test_the_picture_is_a_png_for_acts_triples_and_nothing() -> None:
    acts = measure([_turn("A_1", "x y"), _turn("A_1", "z")], _linearise, count_words)
    triples = measure([_entry("R"), _entry("R", "S")], _linearise, count_words)
    for by_name in ({"acts": acts, "triples": triples}, {"triples": triples}, {"nothing": Statistics()}):
        assert statistics_png(by_name, unit="words").startswith(b"\x89PNG\r\n")


def test_a_missing_matplotlib_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingDependency, match=r"pip install .*(matplotlib|\.\[plot\])"):
        statistics_png({"x": Statistics()}, unit="words")
