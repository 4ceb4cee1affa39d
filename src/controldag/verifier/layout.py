"""Claims and a text laid out in the order in which the verifier reads them, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from controldag.verifier.claims import DESCRIPTION, HEAD, MOST_WORDS, NAME, SERVICE, SUBJECT, VALUE, Claims
from controldag.verifier.heads import head_number
from controldag.verifier.words import stem


@dataclass(slots=True)
class ClaimLayout:
    """The words of claims, each with its field, its claim (-1: the service) and its value (0: none).

    heads: the number of the act's name where a claim begins, else 0. starts: where each claim begins.
    """

    words: list[str] = field(default_factory=list)
    fields: list[int] = field(default_factory=list)
    claims: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def add(self, words: Sequence[str], kind: int, claim: int, value: int = 0) -> None:
        """More words of one field; those beyond what is read of it go."""
        words = words[: MOST_WORDS.get(kind, len(words))]
        count = len(words)
        self.words += words
        self.fields += [kind] * count
        self.claims += [claim] * count
        self.values += [value] * count
        self.heads += [0] * count

    def begin(self, head: int, claim: int) -> None:
        """The head of a claim."""
        self.starts.append(len(self.words))
        self.add(("",), HEAD, claim)
        self.heads[-1] = head


@dataclass(slots=True)
class TextLayout:
    """The words of a text, each with the value it belongs to (0: none)."""

    words: list[str] = field(default_factory=list)
    values: list[int] = field(default_factory=list)


def lay_out_claims(claims: Claims) -> tuple[ClaimLayout, list[tuple[str, ...]]]:
    """The claims, and the values (number 1 first) that are looked for in texts: subjects and values, each once."""
    made, numbers = ClaimLayout(), dict[tuple[str, ...], int]()
    made.add(claims.service, SERVICE, -1)

    def number(words: tuple[str, ...]) -> int:
        return numbers.setdefault(words, len(numbers) + 1)

    for place, claim in enumerate(claims.claims):
        made.begin(head_number(claim.head), place)
        made.add(claim.name, NAME, place)
        made.add(claim.description, DESCRIPTION, place)
        if claim.subject:
            made.add(claim.subject, SUBJECT, place, number(claim.subject))
        for value in claim.values:
            made.add(value, VALUE, place, number(value))
        made.add(claim.worded, VALUE, place)
    return made, list(numbers)


def lay_out_text(words: Sequence[str], values: Sequence[tuple[str, ...]]) -> TextLayout:
    """The text, its words marked where they are a value's."""
    made = TextLayout(list(words), [0] * len(words))
    for begin, end, number in value_spans(words, values):
        made.values[begin:end] = [number + 1] * (end - begin)
    return made


def cut_out(text: Sequence[str], values: Sequence[tuple[str, ...]]) -> list[str | int]:
    """The text with the number of a value (from 0) in place of its words, wherever they stand."""
    left: list[str | int] = []
    place = 0
    for begin, end, number in value_spans(text, values):
        left += [*text[place:begin], number]
        place = end
    return [*left, *text[place:]]


def value_spans(text: Sequence[str], values: Sequence[tuple[str, ...]]) -> list[tuple[int, int, int]]:
    """Where values stand, in order: begin, end and number. Longer ones first, whole ones before short forms."""
    taken = [False] * len(text)
    found: list[tuple[int, int, int]] = []
    wanted = [(words, number) for number, words in enumerate(values) if words]
    short = [(words[: words.index("(")], number) for words, number in wanted if "(" in words[1:] and words[0] != "("]
    for group in (wanted, short):  # `Castle (novel)` is called Castle
        for words, number in sorted(group, key=lambda each: -len(each[0])):
            for begin in range(len(text) - len(words) + 1):
                end = begin + len(words)
                if not any(taken[begin:end]) and _stands(words, text[begin:end]):
                    taken[begin:end] = [True] * len(words)
                    found.append((begin, end, number))
    return sorted(found)


def _stands(value: tuple[str, ...], words: Sequence[str]) -> bool:
    """Whether these words are the value's; the last one may have another ending: *noodle*, *noodles*."""
    if value[-1] != words[-1] and not (
        len(value[-1]) > 3 and value[-1].isalpha() and stem(value[-1]) == stem(words[-1])
    ):
        return False
    return all(one == other for one, other in zip(value[:-1], words, strict=False))
