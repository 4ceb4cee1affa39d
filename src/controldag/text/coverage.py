"""How much of what people wrote a word list allows: a slow, obvious check of the vocabulary rule on strings."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from controldag.data.phrases import entities, licensed_numbers
from controldag.data.records import Example
from controldag.text.chunks import EDGE_PUNCTUATION, core

_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many first references can be spelled, of how many."""

    spelled: int
    total: int

    @property
    def percent(self) -> float:
        """Share of references that can be spelled, in percent (0 when there are none)."""
        return 100.0 * self.spelled / self.total if self.total else 0.0


def coverage(
    examples: Iterable[Example], words: Container[str], *, numbers_from_input: bool = False, first_only: bool = True
) -> Coverage:
    """The share of references spelled by `words`, their input's names, numbers and edge punctuation.

    With `numbers_from_input`, only numbers of the input count; else any. `first_only` leaves out further references.
    Blanks at the ends and double blanks in references are overlooked: they are no matter of words.
    """
    spelled = total = 0
    for example in examples:
        names = entities(example)
        numbers = licensed_numbers(example) if numbers_from_input else None
        for reference in example.references[:1] if first_only else example.references:
            total += 1
            spelled += is_spelled(" ".join(reference.split()), words, names, numbers)
    return Coverage(spelled, total)


def is_spelled(
    text: str, words: Container[str], names: Iterable[str] = (), numbers: Container[str] | None = None
) -> bool:
    """Whether each blank-separated chunk of `text` is a listed word, a number or part of a whole name.

    Punctuation may stand at the edges of words, numbers and names; a name may take `'s`. No double blanks, none at the
    ends. `numbers` are those allowed; None allows any.
    """
    chunks = text.split(" ")
    split_names = [name.split(" ") for name in names]
    reachable = {0}  # positions between chunks up to which the text is spelled
    for start in range(len(chunks)):
        if start not in reachable:
            continue
        if _is_chunk(chunks[start], words, numbers):
            reachable.add(start + 1)
        for name in split_names:
            if _is_name(chunks[start : start + len(name)], name):
                reachable.add(start + len(name))
    return len(chunks) in reachable


def _is_chunk(chunk: str, words: Container[str], numbers: Container[str] | None) -> bool:
    if not chunk:
        return False
    word = core(chunk)
    if not word or word in words:
        return True
    if not _NUMBER.fullmatch(word):
        return False
    return numbers is None or word in numbers


def _is_name(chunks: list[str], name: list[str]) -> bool:
    """Whether `chunks` are the words of `name` with punctuation around the whole, and perhaps `'s` after it."""
    if len(chunks) != len(name):
        return False
    joined, wanted = " ".join(chunks), " ".join(name)
    at = joined.find(wanted)
    while at >= 0:
        before, after = joined[:at], joined[at + len(wanted) :].removeprefix("'s")
        if not before.strip(EDGE_PUNCTUATION) and not after.strip(EDGE_PUNCTUATION):
            return True
        at = joined.find(wanted, at + 1)
    return False
