"""Texts that match a regular expression, in full or somewhere."""

from __future__ import annotations

from dataclasses import dataclass

from controldag import _core
from controldag.constraints.algebra import Constraint
from controldag.constraints.regex_automaton import Automaton
from controldag.constraints.regex_syntax import Guard, parse


@dataclass(frozen=True, slots=True)
class Pattern(Constraint):
    """Texts that match `regex`: as a whole (`full`) or in some part. words: what it asks for, if not that match."""

    regex: str
    full: bool = False
    ignore_case: bool = False
    words: str = ""


def pattern(regex: str, *, full: bool = False, ignore_case: bool = False) -> Constraint:
    r"""Texts that hold a match of the regular expression, or, with `full`, are one.

    Supported: literals, `.` (any character but a newline), `[a-z]`, `[^a-z]`, `\d \w \s \D \W \S`, `\n \t \r \f \v`,
    `\xXX \uXXXX \UXXXXXXXX`, escaped punctuation, `( )`, `(?: )`, `|`, `* + ? {m} {m,} {m,n}` (also lazy: the same
    texts), `^` and `$` (begin and end of the text, not of a line), `\b`. A word character is an ASCII letter or
    digit, `_` or any non-ASCII character; digits and blanks are ASCII. `ignore_case` compares lower-case forms.
    Anything else raises InvalidInput with its position.
    """
    options = (", full=True" if full else "") + (", ignore_case=True" if ignore_case else "")
    return _pattern(regex, f"pattern({regex!r}{options})", full=full, ignore_case=ignore_case)


def full_pattern(regex: str, *, label: str, words: str) -> Constraint:
    """Texts that are a match; messages name it by the label, or say in words what it asks for."""
    return _pattern(regex, label, full=True, words=words)


def _pattern(regex: str, label: str, *, full: bool, ignore_case: bool = False, words: str = "") -> Constraint:
    tree = parse(regex)
    automaton = Automaton(ignore_case)
    start = automaton.state()
    if full:
        accept = automaton.add(tree, start)
    else:
        entry = automaton.add_any_text(start)
        accept = automaton.add_epsilon(automaton.add(tree, entry), automaton.state(), Guard.NONE)
        automaton.edges.append((accept, 0, 255, accept))
    core = _core.nfa(automaton.states, start, accept, not full, automaton.edges, automaton.epsilons, label)
    return Pattern(core, regex, full, ignore_case, words)
