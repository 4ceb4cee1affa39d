"""The searches of the literature against their slow twins, and against the exact search."""

from __future__ import annotations

from random import Random

import pytest

from controldag.constraints import Length, TokenDictionary, all_of, contains_tokens, token_vocabulary
from controldag.lattice import Lattice
from controldag.search.beam import beam
from controldag.search.cbs_dag import cbs_dag
from controldag.search.exact import best_strings
from controldag.search.greedy import greedy
from controldag.search.lookahead import lookahead
from controldag.search.paper import dfs_viterbi
from controldag.search.result import Hypothesis
from controldag.search.shortest_path import shortest_path
from controldag.search.viterbi import joint_viterbi, viterbi
from tests.reference import classic
from tests.reference.enumeration import best_by_enumeration, enumerate_paths

CASES = 400


def random_length(rng: Random) -> Length | None:
    return rng.choice(
        (
            None,
            Length(normalisation=rng.choice((0.5, 1.0, 1.5))),
            Length(target=rng.randint(2, 6), strictness=1.0),
            Length(minimum=3, maximum=5, normalisation=1.0),
        )
    )


def random_phrases(rng: Random) -> list[list[int]]:
    return [[rng.randrange(5) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 2))]


def agree(found: Hypothesis | None, expected: classic.Answer | None) -> None:
    if expected is None or found is None:
        assert found is None and expected is None
        return
    assert found.objective == pytest.approx(expected.objective, rel=1e-5)
    assert (found.tokens, found.vertices) == (expected.tokens, expected.vertices)


@pytest.mark.parametrize("ahead", [False, True])
def test_walks(ahead: bool) -> None:
    dead = 0
    for seed in range(CASES):
        lattice = classic.token_lattice(Random(seed))
        found = (lookahead if ahead else greedy)(lattice)
        assert (found.tokens if found else None) == classic.walk(lattice, ahead=ahead), seed
        dead += found is None
    assert 0 < dead < CASES / 2


def test_viterbi_equals_enumeration() -> None:
    for seed in range(CASES):
        rng = Random(seed)
        lattice, length = classic.token_lattice(rng), random_length(rng)
        expected = classic.best_path_by_transitions(lattice, length)
        found = viterbi(lattice, length)
        assert (found is None) == (expected is None), seed
        if found and expected:
            assert found.objective == pytest.approx(expected.objective, rel=1e-5), seed
            assert found.cost == pytest.approx(cost_of(lattice, found), rel=1e-5)


def test_joint_viterbi_equals_enumeration() -> None:
    for seed in range(CASES):
        rng = Random(seed)
        lattice, length = classic.token_lattice(rng), random_length(rng)
        expected = best_by_enumeration(lattice, None, length)
        found = joint_viterbi(lattice, length)
        assert (found is None) == (not expected), seed
        if found:
            assert found.objective == pytest.approx(expected[0].objective, rel=1e-5), seed


def test_beam_equals_its_twin() -> None:
    for seed in range(CASES):
        rng = Random(seed)
        lattice, size, length = classic.token_lattice(rng), rng.randint(1, 5), random_length(rng)
        agree(beam(lattice, size, length=length), classic.beam(lattice, [], size, length))


def test_cbs_dag_equals_its_twin_and_holds_its_phrases() -> None:
    answered = 0
    for seed in range(CASES):
        rng = Random(seed)
        lattice, phrases, size, length = classic.token_lattice(rng, 9), random_phrases(rng), 2, random_length(rng)
        found = cbs_dag(lattice, phrases, size, length=length)
        agree(found, classic.beam(lattice, phrases, size, length))
        if found:
            answered += 1
            assert all(classic.progress(phrase, found.tokens) == len(phrase) for phrase in phrases)
    assert answered > CASES / 5


def test_dfs_viterbi_equals_its_twin() -> None:
    answered = cut = 0
    for seed in range(CASES):
        rng = Random(seed)
        lattice, target = classic.token_lattice(rng, 10), rng.randint(1, 8)
        phrases = random_phrases(rng)[: rng.randrange(2)]
        words = (
            [tuple(rng.randrange(5) for _ in range(rng.randint(1, 2))) for _ in range(8)]
            if rng.random() < 0.5
            else None
        )
        members = [contains_tokens(phrase) for phrase in phrases]
        if words is not None:
            members.append(token_vocabulary(TokenDictionary(words), phrases))
        constraint = all_of(*members) if members else None
        known = None if words is None else frozenset(words) | {tuple(p) for p in phrases}
        found = dfs_viterbi(lattice, constraint, target=target)
        agree(found, classic.dfs_viterbi(lattice, phrases, known, target))
        if found:
            answered += 1
            exact = best_strings(lattice, constraint, length=Length(target=target))[0]
            assert exact.objective <= found.objective * (1 + 1e-6)
            cut += exact.objective < found.objective * (1 - 1e-6)
    assert answered > CASES / 3
    assert cut > 0  # the pruning is inadmissible, and shows


def test_no_search_beats_the_exact_one() -> None:
    for seed in range(CASES):
        rng = Random(seed)
        lattice, phrases = classic.token_lattice(rng, 9), random_phrases(rng)
        exact = best_strings(lattice)[0].cost
        for search in (greedy, lookahead, viterbi, joint_viterbi, beam, shortest_path):
            found = search(lattice)
            assert found is None or (found.text and found.cost >= exact * (1 - 1e-6)), (seed, search)
        constrained = best_strings(lattice, all_of(*map(contains_tokens, phrases)))
        found = cbs_dag(lattice, phrases)
        if not constrained:
            assert found is None
        elif found:
            assert found.cost >= constrained[0].cost * (1 - 1e-6)


def test_a_wide_beam_is_exact() -> None:
    for seed in range(100):
        lattice = classic.token_lattice(Random(seed), 6)
        found, exact = beam(lattice, 4096), best_strings(lattice)
        assert (found is None) == (not exact)
        if found:
            assert found.cost == pytest.approx(exact[0].cost, rel=1e-5)


def cost_of(lattice: Lattice, found: Hypothesis) -> float:
    return next(
        reading.cost
        for reading in enumerate_paths(lattice)
        if (reading.tokens, reading.vertices) == (found.tokens, found.vertices)
    )
