"""Patterns: what they take, what they refuse and how they say so."""

from __future__ import annotations

import random
import time

import pytest

from controldag.constraints import pattern
from controldag.constraints.code_points import complement, ignoring_case, ranges, utf8_sequences
from controldag.constraints.pattern import Pattern
from controldag.errors import InvalidInput
from tests.reference.single_path import accepts


def found(regex: str, text: str, *, full: bool = False, ignore_case: bool = False) -> bool:
    return accepts(pattern(regex, full=full, ignore_case=ignore_case), text, random.Random(0))


@pytest.mark.parametrize(
    ("regex", "text", "expected"),
    [
        (r"\d{1,2}:\d\d( [ap]m)?", "at 7:30 pm", True),
        (r"^\d", "at 7", False),
        (r"7$", "at 7", True),
        (r"7$", "at 7\n", False),  # the end of the text, not of a line
        (r"\bcaf\b", "café", False),  # é is a word character
        (r"[^a]", "é", True),
        (r"", "anything", True),
        (r"[^\d\D]", "a", False),
        (r"(a|b)+c", "ababc", True),
        ("€|£", "5 €", True),
    ],
)
def test_examples(regex: str, text: str, expected: bool) -> None:
    assert found(regex, text) is expected


def test_full_needs_the_whole_text() -> None:
    assert found("a+", "aaa", full=True)
    assert not found("a+", "aab", full=True)


def test_ignore_case_compares_lower_case_forms() -> None:
    assert found("straße É [k-l]", "STRAßE é \u212a", ignore_case=True)  # the Kelvin sign is a k
    assert not found("[^k]", "K", full=True, ignore_case=True)
    assert not found("É", "é")


def test_describes_itself() -> None:
    constraint = pattern("a", full=True)
    assert isinstance(constraint, Pattern)
    assert (constraint.regex, constraint.full, constraint.ignore_case) == ("a", True, False)
    assert str(constraint) == "pattern('a', full=True)"


@pytest.mark.parametrize(
    ("regex", "position", "construct"),
    [
        (r"(a)\1", 3, "back-reference"),
        (r"a(?=b)", 1, "group `(?=b`"),
        (r"(?i)a", 0, "group"),
        (r"(?P<n>a)", 0, "group"),
        (r"(a", 0, "without `)`"),
        (r"a)", 1, "without `(`"),
        (r"[a", 0, "without `]`"),
        (r"[]", 0, "without `]`"),
        (r"*a", 0, "nothing to repeat"),
        (r"a**", 2, "repetition of a repetition"),
        (r"a*+", 2, "repetition of a repetition"),
        (r"^*", 1, "repetition of an anchor"),
        (r"a{2", 1, "malformed repetition"),
        (r"a{x}", 1, "malformed repetition"),
        (r"a{3,2}", 1, "upper bound"),
        (r"a{99999}", 1, "more than 10,000"),
        ("a{" + "9" * 5000 + "}", 1, "more than 10,000"),
        (r"a\B", 1, r"unsupported `\B`"),
        (r"\q", 0, "unknown escape"),
        (r"\xg1", 0, r"malformed `\x` escape"),
        (r"\ud800", 0, "surrogate"),
        ("\ud800", 0, "surrogate"),
        (r"\U00110000", 0, "malformed"),
        (r"[z-a]", 1, "malformed range"),
        (r"[\d-z]", 1, "malformed range"),
        (r"[\b]", 1, "inside"),
        ("a\\", 1, "unfinished escape"),
        ("(" * 65 + ")" * 65, 64, "deep"),
    ],
)
def test_refusals_name_position_and_construct(regex: str, position: int, construct: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        pattern(regex)
    assert f"at position {position} " in str(caught.value)
    assert construct in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "regex",
    ["(((a{100}){100}){100})", "(((){1000}){1000}){1000}", "((a{0,100}){0,100}){0,100}", "a" * 20_000, "(" * 9000],
)
def test_explosions_are_refused_at_once(regex: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(InvalidInput):
        pattern(regex)
    assert time.perf_counter() - begin < 1


def test_nothing_backtracks() -> None:
    begin = time.perf_counter()
    assert not found("(a|a)*b|((a*)*)*c|(a?){40}a{40}d", "a" * 60)
    assert time.perf_counter() - begin < 1


def test_byte_ranges_spell_exactly_the_set() -> None:
    members = ranges([(0x41, 0x5A), (0x7FF, 0x812), (0xD7F0, 0xE00F), (0xFFF0, 0x1000F), (0x10FFF0, 0x10FFFF)])
    sequences = utf8_sequences(members)

    def spelled(data: bytes) -> int:
        return sum(
            len(data) == len(sequence) and all(low <= b <= high for b, (low, high) in zip(data, sequence, strict=True))
            for sequence in sequences
        )

    rng = random.Random(0)
    edges = [point + step for pair in members for point in pair for step in (-1, 0, 1)]
    for point in [*edges, *(rng.randrange(0x110000) for _ in range(3000))]:
        if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
            continue
        expected = any(low <= point <= high for low, high in members)
        assert spelled(chr(point).encode()) == expected, hex(point)


def test_sets() -> None:
    assert complement(complement(ranges([(97, 99)]))) == ((97, 99),)
    assert ranges([(5, 7), (1, 2), (3, 4)]) == ((1, 7),)
    assert ignoring_case(ranges([(0x6B, 0x6B)])) == ((0x4B, 0x4B), (0x6B, 0x6B), (0x212A, 0x212A))
