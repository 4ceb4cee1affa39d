"""Exact search on a lattice small enough to work out by hand."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from benchmarks.engine.synthetic_dags import DagShape, SyntheticVocabulary, make_dag
from controldag.constraints import Length, WordList, all_of, contains, vocabulary
from controldag.errors import Infeasible, InvalidInput, LatticeTooLarge, SearchTooLong
from controldag.lattice import Lattice, make_lattice, prune
from controldag.search.batch import SearchItem, search_batch
from controldag.search.exact import Limits, best_strings, exact
from controldag.search.language import ConstrainedLanguage

SURFACES = [b" I", b" am", b"'m", b" here", b" ."]


def sentence() -> Lattice:
    """I, then am or 'm, then (here), then an optional dot."""
    return make_lattice(
        [[], [(0, 0.1)], [(1, 1.0), (2, 0.5)], [(3, 0.2)], [(4, 0.3)], []],
        [[(1, 0.0)], [(2, 0.1)], [(3, 0.4), (5, 1.5)], [(4, 1.0), (5, 0.5)], [(5, 0.0)], []],
        SURFACES,
    )


def test_finds_the_cheapest_string_with_its_path() -> None:
    (best,) = best_strings(sentence())
    assert best.text == "I'm here"
    assert best.tokens == (0, 2, 3)
    assert best.vertices == (1, 2, 3)
    assert best.cost == pytest.approx(1.8)
    assert best.objective == best.cost
    assert best.length == 4


def test_lists_distinct_strings_by_cost() -> None:
    found = best_strings(sentence(), n_best=10)
    assert [each.text for each in found] == ["I'm here", "I'm", "I am here", "I'm here .", "I am", "I am here ."]
    assert [round(each.cost, 3) for each in found] == [1.8, 2.2, 2.3, 2.6, 2.7, 3.1]


@pytest.mark.parametrize(
    ("length", "text", "objective"),
    [
        (Length(exact=3), "I'm", 2.2),
        (Length(minimum=5), "I'm here .", 2.6),
        (Length(maximum=3), "I'm", 2.2),
        (Length(target=5, strictness=2.0), "I'm here .", 2.6),
        (Length(target=5, strictness=0.1), "I'm here", 1.8 * math.exp(0.1 * (5 / 4 - 1))),
        (Length(normalisation=1.0), "I'm here", 1.8 / 4),
        (Length(normalisation=3.0), "I'm here .", 2.6 / 125),
    ],
)
def test_weighs_the_length(length: Length, text: str, objective: float) -> None:
    (best,) = best_strings(sentence(), length=length)
    assert best.text == text
    assert best.objective == pytest.approx(objective)


def test_pays_a_penalty_only_while_it_is_worth_it() -> None:
    cheap = best_strings(sentence(), contains("am").soft(0.4))[0]
    assert (cheap.text, cheap.penalty, cheap.cost) == ("I'm here", 0.4, pytest.approx(2.2))
    dear = best_strings(sentence(), contains("am").soft(0.6))[0]
    assert (dear.text, dear.penalty, dear.cost) == ("I am here", 0.0, pytest.approx(2.3))


def test_joins_all_demands() -> None:
    wanted = contains(".") & ~contains("'m") & vocabulary(WordList(["I", "am", "here"]), entities=["."])
    assert best_strings(sentence(), wanted)[0].text == "I am here ."


def test_says_which_demands_conflict() -> None:
    wanted = contains("I") & contains("am") & contains("'m") & contains("here")
    with pytest.raises(Infeasible) as raised:
        exact(sentence(), wanted)
    assert set(raised.value.conflict) == {"contains('am')", 'contains("\'m")'}
    assert raised.value.minimised


def test_never_gives_an_empty_string() -> None:
    blank = make_lattice([[], [(0, 1.0)], []], [[(1, 0.5), (2, 0.1)], [(2, 0.5)], []], [b" "])
    assert best_strings(blank) == []
    assert best_strings(blank, n_best=5) == []
    assert ConstrainedLanguage(blank).log_probability == -math.inf


@pytest.mark.parametrize("n_best", [0, -1])
def test_refuses_to_find_no_strings(n_best: int) -> None:
    with pytest.raises(InvalidInput, match="`n_best` must be at least 1"):
        best_strings(sentence(), n_best=n_best)


def test_keeps_within_its_limits() -> None:
    with pytest.raises(LatticeTooLarge, match="passed its limit of 3"):
        best_strings(sentence(), contains("am") & contains("here"), limits=Limits(max_states=3))


def test_a_preferred_length_cannot_be_summed_over() -> None:
    with pytest.raises(InvalidInput, match="`length` must be bounds only"):
        ConstrainedLanguage(sentence(), length=Length(target=4))


@pytest.mark.parametrize("n_best", [1, 5])
def test_a_deadline_breaks_off_the_search_that_runs(n_best: int) -> None:
    words = SyntheticVocabulary(300)
    shape = DagShape(vertices=400, candidates=8, phrases=8, phrase_tokens=2, everywhere=True)
    made = make_dag(words, shape, np.random.default_rng(1))
    lattice = prune(made.dag(words.surfaces), 8, 8, keep=made.phrases)
    demand = all_of(*(contains(text) for text in made.texts(words.surfaces)))
    begin = time.monotonic()
    with pytest.raises(SearchTooLong):
        best_strings(lattice, demand, length=Length(exact=200), n_best=n_best, limits=Limits(until=begin + 0.002))
    assert time.monotonic() - begin < 5.0


def test_a_deadline_that_has_passed_or_never_comes() -> None:
    with pytest.raises(SearchTooLong):
        best_strings(sentence(), limits=Limits(until=time.monotonic() - 1))
    assert best_strings(sentence(), limits=Limits(until=time.monotonic() + 1e300))[0].text == "I'm here"


@pytest.mark.parametrize("penalty", [10.0, 63.9, 1e3, 1e5, 1e7, 1e9])
@pytest.mark.parametrize("length", [None, Length(target=6, strictness=0.5), Length(minimum=2)])
def test_a_large_penalty_hides_no_difference_between_paths(penalty: float, length: Length | None) -> None:
    """None of the texts holds it, or one at the end does: the others are told apart to a thousandth."""
    emissions: list[list[tuple[int, float]]] = [[], [(0, 0.5)], [(1, 32.0), (2, 3.001), (3, 3.0), (4, 33.0)], []]
    surfaces = [b" a", b" d", b" c", b" b", b" zz"]
    lattice = make_lattice(emissions, [[(1, 0.0)], [(2, 0.0)], [(3, 0.0)], []], surfaces)
    for wanted, text in ((contains("q"), "a b"), (contains("zz"), "a zz" if penalty > 30 else "a b")):
        demand = wanted.soft(penalty) & contains("?").soft(penalty)
        assert best_strings(lattice, demand, length=length)[0].text == text
        assert best_strings(lattice, demand, length=length, n_best=2)[0].text == text


def test_a_conflict_whose_explanation_passes_a_limit_is_one_all_the_same() -> None:
    """Together they are refused at a glance; to find what is needed takes more states than are allowed."""
    emissions: list[list[tuple[int, float]]] = [[], *([(0, 1.0), (1, 2.0)] for _ in range(60)), []]
    onward: list[list[tuple[int, float]]] = [*([(v + 1, 0.1)] for v in range(61)), []]
    lattice = make_lattice(emissions, onward, [b" a", b" zz"])
    wanted, limits = contains("zz") & ~contains("zz"), Limits(max_states=40)
    assert best_strings(lattice, wanted, limits=limits) == []
    with pytest.raises(Infeasible, match="a limit came first") as raised:
        exact(lattice, wanted, limits=limits)
    assert raised.value.conflict == ("contains('zz')", "~contains('zz')")
    assert not raised.value.minimised
    items = [SearchItem(lattice, wanted), SearchItem(sentence(), contains("I'm")), SearchItem(lattice, wanted)]
    refused, found, again = search_batch(items, limits=limits)
    assert isinstance(refused, Infeasible)
    assert isinstance(again, Infeasible)
    assert isinstance(found, list)
    assert found[0].text == "I'm here"


def test_a_vocabulary_alone_is_blamed_for_what_it_excludes_alone() -> None:
    """A required phrase joins the vocabulary; without it the words are as few as they were given."""
    lattice = make_lattice([[], [(0, 1.0)], [(0, 1.0)], []], [[(1, 0.0)], [(2, 0.0)], [(3, 0.0)], []], [b"Foo"])
    with pytest.raises(Infeasible) as raised:
        exact(lattice, contains("Foo", at_least=2) & vocabulary(["x"]))
    assert raised.value.conflict == (vocabulary(["x"]).label,)
    assert raised.value.minimised


def tangled(vertices: int, candidates: int) -> Lattice:
    """Many tokens and arcs of random costs everywhere."""
    rng = np.random.default_rng(1)
    emissions: list[list[tuple[int, float]]] = [[]]
    arcs: list[list[tuple[int, float]]] = []
    for v in range(vertices - 1):
        reach = range(v + 1, min(vertices, v + 1 + 2 * candidates))
        chosen = {v + 1, *rng.choice(list(reach), min(candidates, len(reach)), replace=False).tolist()}
        arcs.append([(to, float(rng.exponential(3.0))) for to in sorted(chosen)])
        tokens = rng.choice(200, candidates, replace=False).tolist() if v < vertices - 2 else []
        emissions.append([(token, float(rng.exponential(3.0))) for token in tokens])
    surfaces = [f" w{token:03d}".translate(str.maketrans("0123456789", "abcdefghij")).encode() for token in range(200)]
    return make_lattice(emissions, [*arcs, []], surfaces)


def test_many_texts_of_a_good_length_are_found_at_once() -> None:
    """Took nine seconds for 100 texts when all prefixes of each state were laid out."""
    begin = time.process_time()
    found = best_strings(tangled(200, 8), contains("waaa"), length=Length(target=60), n_best=1000)
    assert time.process_time() - begin < 5.0
    assert len({each.text for each in found}) == 1000
    assert [each.objective for each in found] == sorted(each.objective for each in found)


def test_several_texts_count_their_memory() -> None:
    with pytest.raises(LatticeTooLarge, match="memory of the search in bytes"):
        best_strings(tangled(200, 8), contains("waaa"), n_best=100, limits=Limits(max_bytes=200_000))


def test_what_lengths_cost_at_every_vertex_counts_as_memory() -> None:
    """It grows with the square of the graph: 3.5 GB at 30,000 vertices, which no limit saw."""
    vertices = 2_000
    emissions: list[list[tuple[int, float]]] = [[], *([(0, 1.0), (1, 1.5)] for _ in range(vertices - 2)), []]
    arcs = [[(to, 0.1) for to in (v + 1, v + 2) if to < vertices] for v in range(vertices)]
    lattice = make_lattice(emissions, arcs, [b" a", b" b"])
    length, few = Length(target=vertices // 2), Limits(max_bytes=vertices * vertices)
    with pytest.raises(LatticeTooLarge, match="memory of the search in bytes"):
        best_strings(lattice, contains("a b"), length=length, limits=few)
    assert best_strings(lattice, contains("a b"), limits=few)
