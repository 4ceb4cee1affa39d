"""Only allowed words (Control-DAG Eq. 1, defined on blank-separated chunks of the text)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controldag import _core
from controldag.constraints.algebra import Constraint
from controldag.errors import InvalidInput, utf8

PUNCTUATION = "!\"#$%&'()*+,-./:;=?@[]_"
"""What may stand at the edges of a chunk, unless said otherwise."""


class WordList:
    """The static part of a vocabulary constraint: built once, shared by all requests.

    Edge punctuation is stripped from the words (any chunk may carry it); inner punctuation counts only as listed.
    """

    def __init__(self, words: Iterable[str], punctuation: str = PUNCTUATION) -> None:
        if isinstance(words, str):
            raise InvalidInput.of("words", "be a collection of words, not one string", words)
        self.words = frozenset(word.strip(punctuation) for word in words) - {""}
        self.punctuation = punctuation
        self.core = _core.make_word_list([utf8("words", word) for word in self.words], utf8("punctuation", punctuation))

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Vocabulary(Constraint):
    """Texts of listed words, licensed numbers and whole entities."""

    words: WordList
    entities: tuple[str, ...]
    numbers: tuple[str, ...] | None  # None: any number
    entity_set: frozenset[str]
    genitives: bool = True


def vocabulary(
    words: WordList | Iterable[str],
    *,
    entities: Iterable[str] = (),
    numbers: str | Iterable[str] = "any",
    genitives: bool = True,
) -> Constraint:
    """Texts whose every blank-separated chunk is edge punctuation, a core, edge punctuation.

    A core is one listed word, a number, or part of an entity; an entity counts only whole and may take `'s`, unless
    `genitives` is false (the paper's rule of neologisms counts `Scott's`). There is no leading, trailing or double
    blank (but within an entity that has one), and no empty text. In a search, phrases that the same conjunction
    requires join the entities. `numbers` is "any" (digits, inner `. , : / -` between digits, an ending such as `th` or
    `pm`) or the number strings this input licenses; then listed words with digits do not count either.
    """
    listed = words if isinstance(words, WordList) else WordList(words)
    names = tuple(dict.fromkeys(entities))
    if isinstance(numbers, str):
        if numbers != "any":
            raise InvalidInput.of("numbers", 'be "any" or a collection of number strings', numbers)
        licensed = None
    else:
        licensed = tuple(dict.fromkeys(numbers))
    shown = "any" if licensed is None else f"{len(licensed)} licensed"
    core = _core.vocabulary(
        listed.core,
        [utf8("entities", name) for name in names],
        licensed is None,
        [utf8("numbers", number) for number in licensed or ()],
        genitives,
        f"vocabulary({len(listed)} words, {len(names)} entities, numbers: {shown})",
    )
    return Vocabulary(core, listed, names, licensed, frozenset(names), genitives)
