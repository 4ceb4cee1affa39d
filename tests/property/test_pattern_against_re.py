"""`pattern` against Python's `re` on random expressions and random texts."""

from __future__ import annotations

import random

import pytest

from controldag.constraints import pattern, pattern_check
from tests.reference.python_re import matches
from tests.reference.single_path import accepts

LETTERS = "abAB1_ .-\néÉ€𝄞日"
LITERALS = ["a", "b", "A", "1", "_", " ", r"\.", "-", r"\n", "é", "É", "€", "𝄞", r"\u00e9", r"\x61", r"\-", r"\$"]
SETS = ["[ab]", "[^a]", "[a-c1-3]", r"[^\w]", r"[\d_]", "[é-日]", "[^é-日\n]", r"[]a]", r"[^]a]", "[a-]", r"[\s\S]"]
CLASSES = [".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S"]
ANCHORS = ["^", "$", r"\b"]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}?", "{0}"]


def random_regex(rng: random.Random, depth: int = 3) -> str:
    """An expression of the supported kind."""
    pieces = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
        kind = rng.random()
        if kind < 0.12:
            pieces.append(rng.choice(ANCHORS))
            continue
        if kind < 0.35 and depth:
            inner = random_regex(rng, depth - 1)
            atom = f"({inner})" if rng.random() < 0.5 else f"(?:{inner})"
        else:
            atom = rng.choice(rng.choice((LITERALS, LITERALS, SETS, CLASSES)))
        pieces.append(atom + (rng.choice(REPEATS) if rng.random() < 0.35 else ""))
    regex = "".join(pieces)
    if depth and rng.random() < 0.25:
        regex += "|" + random_regex(rng, depth - 1)
    return regex


def compare(seeds: range, texts: int) -> int:
    compared = 0
    for seed in seeds:
        rng = random.Random(seed)
        regex, full, ignore_case = random_regex(rng), rng.random() < 0.5, rng.random() < 0.3
        constraint = pattern(regex, full=full, ignore_case=ignore_case)
        for _ in range(texts):
            text = "".join(rng.choices(LETTERS, k=rng.randrange(1, 7)))
            expected = matches(regex, text, full=full, ignore_case=ignore_case)
            found = accepts(constraint, text, rng)
            assert found == expected, f"seed {seed}: {regex!r} on {text!r}, {full=}, {ignore_case=}"
            assert accepts(~constraint, text, rng) != expected
            assert pattern_check.matches(regex, text, full=full, ignore_case=ignore_case) == expected
            compared += 1
    return compared


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")
def test_agrees_with_re_on_random_expressions() -> None:
    assert compare(range(1200), texts=5) == 6000


def test_random_texts_match_about_half_of_the_time() -> None:
    # Else the comparison above would say little.
    rng = random.Random(1)
    outcomes = [
        matches(random_regex(rng), "".join(rng.choices(LETTERS, k=4)), full=rng.random() < 0.5) for _ in range(1000)
    ]
    assert 200 < sum(outcomes) < 800
