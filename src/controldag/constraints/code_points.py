"""Sets of code points as sorted ranges, and the UTF-8 byte ranges that spell them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from controldag import _core

Ranges = tuple[tuple[int, int], ...]
"""Sorted, disjoint, inclusive ranges without surrogates."""

LAST = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)
# Letters with two cases live in the first two planes.
_CASED_END = 0x20000
# The greatest code points of one, two, three and four bytes.
_LAST_OF_SIZE = (0x7F, 0x7FF, 0xFFFF, LAST)


def ranges(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """The union of inclusive ranges, normalised; surrogates, which no UTF-8 text holds, are left out."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(_without_surrogates(pairs)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _without_surrogates(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    first, last = SURROGATES
    parts = []
    for low, high in pairs:
        parts += [(low, min(high, first - 1)), (max(low, last + 1), high)]
    return [(low, high) for low, high in parts if low <= high]


def complement(members: Ranges) -> Ranges:
    """Every other code point."""
    gaps, at = [], 0
    for low, high in members:
        gaps.append((at, low - 1))
        at = high + 1
    return ranges([*gaps, (at, LAST)])


@cache
def _case_families() -> tuple[tuple[int, ...], ...]:
    """Code points that share a lower-case form, by the engine's own table."""
    letters = [*range(SURROGATES[0]), *range(SURROGATES[1] + 1, _CASED_END)]
    lowered = _core.fold_case("".join(map(chr, letters)).encode()).decode()
    families: dict[str, list[int]] = {}
    for letter, lower in zip(letters, lowered, strict=True):
        if ord(lower) != letter:
            families.setdefault(lower, [ord(lower)]).append(letter)
    return tuple(tuple(family) for family in families.values())


def ignoring_case(members: Ranges) -> Ranges:
    """The set with every code point whose lower-case form is that of a member."""

    def holds(code_point: int) -> bool:
        return any(low <= code_point <= high for low, high in members)

    added = [(c, c) for family in _case_families() if any(map(holds, family)) for c in family]
    return ranges([*members, *added])


@cache
def utf8_sequences(members: Ranges) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Byte-range sequences whose union spells exactly the members: each a range for every byte in turn."""
    return tuple(
        sequence for low, high in members for same_size in _split_by_size(low, high) for sequence in _split(*same_size)
    )


def _split_by_size(low: int, high: int) -> list[tuple[int, int]]:
    parts, start = [], 0
    for end in _LAST_OF_SIZE:
        parts.append((max(low, start), min(high, end)))
        start = end + 1
    return [(first, last) for first, last in parts if first <= last]


def _split(low: int, high: int) -> list[tuple[tuple[int, int], ...]]:
    """Splits a range of equally long code points until every byte position varies on its own."""
    done, todo = [], [(low, high)]
    while todo:
        first, last = todo.pop()
        cut = _cut(first, last)
        if cut is None:
            done.append(tuple(zip(chr(first).encode(), chr(last).encode(), strict=True)))
        else:
            todo += [(first, cut), (cut + 1, last)]
    return done


def _cut(first: int, last: int) -> int | None:
    """The end of a part that must be split off because a byte varies only partly below one that varies."""
    if last <= _LAST_OF_SIZE[0]:
        return None
    for bits in (6, 12, 18):
        mask = (1 << bits) - 1
        if first >> bits != last >> bits:
            if first & mask:
                return first | mask
            if last & mask != mask:
                return (last & ~mask) - 1
    return None
