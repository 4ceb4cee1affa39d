"""Whether a text matches a pattern, by walking the syntax tree with sets of positions: no automaton, no bytes.

Python's `re` would do but for the time it may take: it backtracks. Here every node of the tree turns the positions at
which it may begin into those at which it may end. Bytes that are no UTF-8 stand in the text as lone surrogates: word
characters to `\\b`, and members of no set.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from controldag.constraints.code_points import Ranges
from controldag.constraints.regex_syntax import Assertion, Characters, Choice, Guard, Node, Repeat, Sequence, parse

Positions = frozenset[int]


def matches(regex: str, text: str, *, full: bool = False, ignore_case: bool = False) -> bool:
    """Whether the text is (`full`) or holds a match."""
    begin = frozenset({0}) if full else frozenset(range(len(text) + 1))
    ends = _Matcher(text, ignore_case).ends(_parsed(regex), begin)
    return len(text) in ends if full else bool(ends)


@lru_cache(maxsize=256)
def _parsed(regex: str) -> Node:
    return parse(regex)


class _Matcher:
    def __init__(self, text: str, ignore_case: bool) -> None:
        self.text = text
        self.ignore_case = ignore_case

    def ends(self, node: Node, begins: Positions) -> Positions:
        """Where a match of the node can end that begins at one of the positions."""
        match node:
            case Characters():
                return frozenset(i + 1 for i in begins if i < len(self.text) and self.is_one(self.text[i], node))
            case Assertion(guard):
                return frozenset(i for i in begins if self.holds(guard, i))
            case Sequence(parts):
                for part in parts:
                    begins = self.ends(part, begins)
                return begins
            case Choice(parts):
                return frozenset().union(*(self.ends(part, begins) for part in parts))
            case Repeat():
                return self.repeated(node, begins)

    def repeated(self, node: Repeat, begins: Positions) -> Positions:
        for _ in range(node.least):
            before, begins = begins, self.ends(node.part, begins)
            if begins == before:  # further rounds change nothing
                break
        # What is reached in fewer rounds can go on as far as what comes later: only new positions matter.
        reached, new, rounds = begins, begins, 0
        while new and (node.most is None or rounds < node.most - node.least):
            new = self.ends(node.part, new) - reached
            reached |= new
            rounds += 1
        return reached

    def is_one(self, character: str, node: Characters) -> bool:
        if "\ud800" <= character <= "\udfff":
            return False
        family = _same_letter(character) if self.ignore_case else (ord(character),)
        return any(_within(code_point, node.members) for code_point in family) != node.negated

    def holds(self, guard: Guard, at: int) -> bool:
        before = at > 0 and _is_word(self.text[at - 1])
        after = at < len(self.text) and _is_word(self.text[at])
        conditions: dict[Guard, Callable[[], bool]] = {
            Guard.BEGIN: lambda: at == 0,
            Guard.END: lambda: at == len(self.text),
            Guard.BOUNDARY: lambda: before != after,
        }
        return conditions[guard]()


def _within(code_point: int, members: Ranges) -> bool:
    return any(low <= code_point <= high for low, high in members)


def _is_word(character: str) -> bool:
    return character >= "\x80" or character == "_" or character.isalnum()


@cache
def _cased() -> dict[str, list[int]]:
    """By lower-case letter: the letters that have this lower-case form. Cased letters are in the first two planes."""
    table: dict[str, list[int]] = {}
    for code_point in range(0x20000):
        lower = chr(code_point).lower()
        if lower != chr(code_point) and len(lower) == 1:
            table.setdefault(lower, []).append(code_point)
    return table


def _same_letter(character: str) -> tuple[int, ...]:
    lower = character.lower()
    if len(lower) != 1:
        lower = character
    return (ord(lower), *_cased().get(lower, ()))
