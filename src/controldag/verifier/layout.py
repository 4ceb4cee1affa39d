"""Claims and a text laid out in the order in which the verifier reads them, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from controldag.verifier.claims import DESCRIPTION, HEAD, MOST_WORDS, NAME, SERVICE, SUBJECT, VALUE, Claims
from controldag.verifier.heads import head_number


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
    items = cut_out(words, values)
    made = TextLayout()
    for item in items:
        spelled = (item,) if isinstance(item, str) else values[item]
        made.words += spelled
        made.values += [0 if isinstance(item, str) else item + 1] * len(spelled)
    return made


def cut_out(text: Sequence[str], values: Sequence[tuple[str, ...]]) -> list[str | int]:
    """The text with the number of a value (from 0) in place of its words, wherever they stand; longer ones first."""
    left: list[str | int] = list(text)
    for number in sorted(range(len(values)), key=lambda k: -len(values[k])):
        words, place = values[number], 0
        while words and place + len(words) <= len(left):
            if left[place] == words[0] and all(left[place + i] == word for i, word in enumerate(words)):
                left[place : place + len(words)] = [number]
            place += 1
    return left
