"""The independent checker, by examples that a person can follow."""

from __future__ import annotations

import time

import pytest

from controldag.constraints import (
    Constraint,
    TokenDictionary,
    WordList,
    all_of,
    any_of,
    contains,
    contains_tokens,
    in_order,
    token_vocabulary,
    vocabulary,
)
from controldag.constraints.check import Checked, checked, penalty, satisfies, violations

PHRASES: list[tuple[Constraint, str, bool]] = [
    (contains("San Jose"), "in San Jose.", True),
    (contains("San Jose"), "in san jose.", False),
    (contains("San Jose", ignore_case=True), "in SAN jose.", True),
    (contains("2"), "at 25", True),
    (contains("2", whole_word=True), "at 25", False),
    (contains("2", whole_word=True), "at 25 or 2", True),
    (contains("$5", whole_word=True), "US$5", True),
    (contains("$5", whole_word=True), "US$50", False),
    (contains("caf", whole_word=True), "café", False),
    (contains("é", whole_word=True), "a é b", True),
    (contains("é", whole_word=True), "aé b", False),
    (contains("a", whole_word=True), "a b", True),
    (contains("a", whole_word=True), "[a]", True),
    (contains("a", whole_word=True), "_a", False),
    (contains("a", whole_word=True), "a\x80", False),
    (contains("k", ignore_case=True), "300 K", True),  # the Kelvin sign
    (contains("σ", ignore_case=True), "ΟΣ", True),
    (contains("ς", ignore_case=True), "ΟΣ", False),  # letter by letter: Σ is σ, wherever it stands
    (contains("İ", ignore_case=True), "i̇", False),  # its lower case is two code points: it stays as it is
    (contains("aa", at_least=2), "aaa", False),
    (contains("aa", at_least=2), "aaaa", True),
    (contains("a", at_most=1), "aba", False),
    (contains("a", at_least=0, at_most=0), "b", True),
    (any_of("SJ", "San Jose"), "to SJ", True),
    (any_of("SJ", "San Jose"), "to LA", False),
    (in_order("a", "b", "a"), "xaxbxa", True),
    (in_order("ab", "ba"), "aba", False),
    (contains("a") & contains("b"), "ab", True),
    (contains("a") | contains("b"), "c", False),
    (~contains("a"), "b", True),
    (contains("San Jose") & contains("Jose"), "San Jose", True),
    (contains("San Jose", own=True) & contains("Jose", own=True), "San Jose", False),
    (contains("San Jose", own=True) & contains("Jose", own=True), "Jose in San Jose", True),
    (contains("a", own=True) & contains("a", own=True), "a", False),
    (contains("ab", own=True) & contains("ba", own=True), "aba", False),
    (contains("ab", own=True) & contains("ba", own=True) & contains("a", own=True), "abba", False),
    (contains("ab", own=True) & contains("ba", own=True) & contains("a", own=True), "abbaa", True),
    (contains("a", own=True, at_least=2) & contains("aa", own=True), "aaa", False),
    (contains("a", own=True, at_least=2) & contains("aa", own=True), "aaaa", True),
    ((contains("a", own=True) & contains("a", own=True)) | contains("c"), "ab", False),
    (contains("x").soft(3), "a", True),
]


@pytest.mark.parametrize(("constraint", "text", "expected"), PHRASES)
def test_phrases(constraint: Constraint, text: str, expected: bool) -> None:
    assert satisfies(constraint, text) is expected


WORDS = WordList(["I", "found", "check-in", "don't", "a.m.", "7-Eleven"])
VOCABULARY = vocabulary(WORDS, entities=["71 Saint Peter", "Joe's", "St. Mary (north)"])
LICENSED = vocabulary(WORDS, entities=["71 Saint Peter"], numbers=["5", "-5", "6:30"])


@pytest.mark.parametrize(
    ("text", "any_number", "licensed"),
    [
        ("I found", True, True),
        ("I  found", False, False),
        (" I found", False, False),
        ("I found ", False, False),
        ("", False, False),
        ("I, (found)!", True, True),
        ("I - found", False, False),  # punctuation alone has no core
        ("check-in", True, True),
        ("found-found", False, False),
        ("don't", True, True),
        ("a.m", True, True),
        ("a.m.", True, True),
        ("71 Saint Peter", True, True),
        ("Saint Peter", False, False),
        ('"71 Saint Peter"\'s', False, False),
        ("71 Saint Peter's.", True, True),
        ("(71 Saint Peter)", True, True),
        ("Joe's's", True, False),
        ("St. Mary (north), found", True, False),
        ("5", True, True),
        ("-5", True, True),
        ("$5.", True, True),
        ("6:30", True, True),
        ("6:31", True, False),
        ("1,000.50pm", True, False),
        ("1..2", False, False),
        ("3rd", True, False),
        ("3xx", False, False),
        ("7-Eleven", True, False),
        ("a5", False, False),
        ("5a", False, False),
    ],
)
def test_vocabulary(text: str, any_number: bool, licensed: bool) -> None:
    assert satisfies(VOCABULARY, text) is any_number
    assert satisfies(LICENSED, text) is licensed


@pytest.mark.parametrize(("text", "expected"), [("-5", True), ("--5.", True), ("5", False), ("-5-5", False)])
def test_a_number_may_begin_with_punctuation(text: str, expected: bool) -> None:
    assert satisfies(vocabulary(WORDS, numbers=["-5"]), text) is expected


def test_token_level() -> None:
    dictionary = TokenDictionary([(1,), (2, 3)])
    assert satisfies(contains_tokens((2, 3)), "", (1, 2, 3))
    assert not satisfies(contains_tokens((2, 3)), "", (2, 1, 3))
    assert satisfies(token_vocabulary(dictionary), "", (1, 2, 3, 1))
    assert satisfies(token_vocabulary(dictionary), "", (1, 1))
    assert not satisfies(token_vocabulary(dictionary), "", (1, 2, 1))
    assert satisfies(token_vocabulary(dictionary, [(2, 1)]), "", (1, 2, 1))


def test_violations_name_the_members_that_fail() -> None:
    wanted = contains("a") & contains("b") & ~contains("c") & contains("d").soft(2)
    assert violations(wanted, "ac") == ("contains('b')", "~contains('c')")
    assert violations(None, "anything") == ()
    assert penalty(wanted, "ac") == 2
    assert penalty(wanted, "dd") == 0


def test_own_occurrence_names_the_one_without_room() -> None:
    wanted = contains("San Jose", own=True) & contains("Jose", own=True) & contains("in")
    assert violations(wanted, "in San Jose") == ("contains('Jose')",)


def test_an_own_occurrence_that_is_not_there_has_no_place() -> None:
    wanted = contains("San", own=True) & contains("Jose", own=True)
    assert [(each.satisfied, each.spans) for each in checked(wanted, "Jose")] == [(False, ()), (True, ((0, 4),))]


def test_as_plain_values() -> None:
    told = {"label": "contains('a')", "words": "say “a”", "satisfied": True, "granted": None, "spans": [[1, 2]]}
    assert [each.as_dict() for each in checked(contains("a"), "ba")] == [told]
    assert Checked("x", True).words == ""


def test_of_several_phrases_the_one_that_ends_first_is_told() -> None:
    assert [each.spans for each in checked(any_of("b", "a"), "a b")] == [((0, 1),)]


def test_spans_of_own_occurrences_are_disjoint() -> None:
    wanted = contains("Jose", own=True) & contains("San Jose", own=True) & contains("an")
    text = "San Jose, Jose"
    assert [(each.words, each.satisfied, each.spans) for each in checked(wanted, text)] == [
        ("say “Jose”", True, ((10, 14),)),
        ("say “San Jose”", True, ((0, 8),)),
        ("say “an”", True, ((1, 3),)),
    ]
    assert [each.spans for each in checked(~contains("x"), text)] == [()]


def test_of_two_alike_the_one_without_room_is_the_second() -> None:
    twice = contains("Jose", own=True) & contains("Jose", own=True)
    assert [(each.satisfied, each.spans) for each in checked(twice, "in Jose")] == [(True, ((3, 7),)), (False, ())]


def test_spans_are_those_of_what_holds() -> None:
    either = contains("a") & contains("b") | contains("c") & contains("d")
    assert [(each.satisfied, each.spans) for each in checked(either, "d a c")] == [(True, ((0, 1), (4, 5)))]
    wishes = checked(contains("x").soft(2.0) & contains("a").soft(2.0), "a")
    assert [(each.satisfied, each.granted, each.spans) for each in wishes] == [
        (True, False, ()),
        (True, True, ((0, 1),)),
    ]


def test_bytes_that_are_no_utf8_are_word_characters() -> None:
    assert not satisfies(contains("a", whole_word=True), b"a\xff")
    assert satisfies(contains("a"), b"\xffa")
    assert satisfies(contains("é"), b"\xe2\xc3\xa9\xa9")


def test_is_fast_enough_to_run_on_every_result() -> None:
    words = WordList(f"word{i}" for i in range(20_000))
    names = [f"Name {i}" for i in range(6)]
    wanted = vocabulary(words, entities=names)
    for name in names:
        wanted = wanted & contains(name, own=True, ignore_case=True, whole_word=True)
    text = " ".join([*(f"word{i}," for i in range(16)), *names])
    assert satisfies(wanted, text)
    begin = time.process_time()
    for _ in range(50):
        satisfies(wanted, text)
    assert (time.process_time() - begin) / 50 < 2e-3  # measured: about 0.1 ms; the bound leaves room for busy machines


def test_long_runs_of_punctuation_are_checked_in_linear_time() -> None:
    allowed = vocabulary(WordList(["a"]), numbers=["-5", "7"])
    marks = "-" * 50_000
    begin = time.process_time()
    assert not satisfies(allowed, marks)
    assert satisfies(allowed, f"{marks}5{marks}")
    assert satisfies(allowed, f"a {marks}7{marks} a")
    assert not satisfies(allowed, f"{marks}6{marks}")
    assert time.process_time() - begin < 2


def test_names_that_can_be_cut_in_many_ways_are_read_once() -> None:
    allowed = vocabulary(WORDS, entities=["bb", "bb bb"])
    begin = time.process_time()
    assert not satisfies(allowed, "bb " * 30 + "x")
    assert time.process_time() - begin < 1


def test_phrases_that_collide_are_placed_in_no_time() -> None:
    wanted = all_of(*(contains("a" * size, own=True) for size in range(1, 10)))
    begin = time.process_time()
    assert violations(wanted, "a" * 44) == (f"contains('{'a' * 9}')",)
    assert satisfies(wanted, "a" * 45)
    assert time.process_time() - begin < 1
