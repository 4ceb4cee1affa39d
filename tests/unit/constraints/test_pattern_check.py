"""Patterns as the independent check reads them: small cases that a person can follow, most of them as Python's `re`."""

from __future__ import annotations

import re

import pytest

from controldag.constraints.pattern_check import matches

CASES = [
    ("a", "ba", False),
    ("a", "A", False),
    ("a", "a", True),
    ("b", "ab", True),
    ("a", "ab", True),
    ("^b", "ab", False),
    ("^a", "ab", False),
    ("b$", "ab", False),
    ("a$", "ab", False),
    ("()a", "a", True),
    ("a{2}", "a", False),
    ("a{2}", "aa", True),
    ("a{1,2}", "aa", True),
    ("a{1,2}", "aaa", True),
    ("a{2,3}", "aaaaa", True),
    ("a{0,2}", "aaa", True),
    ("a{0,3}", "aaa", True),
    ("(ab|a)*b", "aabab", True),
    ("[a-c1-3]", "2", True),
    ("[a-c1-3]", "4", True),
    ("[^a-c1-3]", "2", True),
    (r"^\b", "aa", False),
    (r"\b$", "aa", False),
    (r"a\bb", "ab", False),
    (r"a\b ", "-a b", False),
    (r"a\b", "a_", False),
    (r"a\b", "a[", False),
    (r"a\b", "a\x80", False),
    (r"a\b", "aé", False),
    (r"\ba", "a", False),
    ("", "", True),
    (r"\b", "", False),
]


@pytest.mark.parametrize(("regex", "text", "full"), CASES)
def test_as_python_reads_them(regex: str, text: str, full: bool) -> None:
    # U+0080 is no letter for Python; here everything beyond ASCII is a word character.
    read = text.replace("\x80", "é")
    expected = re.fullmatch(regex, read) if full else re.search(regex, read)
    assert matches(regex, text, full=full) is (expected is not None)


def test_unless_asked_for_case_counts_and_a_part_will_do() -> None:
    assert matches("a", "ba") and not matches("a", "A")
    assert matches("a", "A", ignore_case=True) and not matches("a", "ba", full=True)
    assert matches("[k]", "\u212a", ignore_case=True)  # the Kelvin sign


@pytest.mark.parametrize("character", ["\ud800", "\udcff", "\udfff"])
def test_bytes_that_are_no_utf8_are_members_of_no_set(character: str) -> None:
    assert not matches("[^a]", character)
    assert not matches(".", character)
    assert not matches(r"a\b", f"a{character}")
    assert matches("[^a]", "\ud7ff") and matches("[^a]", "\ue000")
