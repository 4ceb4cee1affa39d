"""Our word list: every word people used in training, but typos, glued words and words that are really names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import spellchecker

from controldag.data.phrases import entities
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.text.chunks import core, is_word
from controldag.text.paper_words import schema_words
from controldag.text.words import WordFile

# Letters on both sides of sentence punctuation (`made.The`, `you?Would`), or of two marks in a row (`it--the`).
_GLUED = re.compile(r"\w[.,!?;:()\"]+\w|\w[^\w\s]{2,}\w")
# Single letters with a full stop after each: `a.m`, `U.S`.
_ABBREVIATION = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
_COMPOUND = re.compile(r"[-/]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWordOptions:
    """Where to draw the lines.

    A word that no dictionary and no input knows is a likely typo when it occurs less than `typo_below` times; a word
    is really a name when at least `entity_share` of its occurrences stand inside a name from the input.
    """

    typo_below: int = 20
    entity_share: float = 0.95

    def __post_init__(self) -> None:
        if self.typo_below < 1:
            raise InvalidInput.of("typo_below", "be at least 1", self.typo_below)
        if not 0 < self.entity_share <= 1:
            raise InvalidInput.of("entity_share", "be above 0 and at most 1", self.entity_share)


def own_words(
    examples: Iterable[Example], schema: Schema | None, options: OwnWordOptions | None = None, *, source: str = ""
) -> WordFile:
    """The list for our vocabulary constraint, learned from training examples; case is kept as people wrote it."""
    options = options or OwnWordOptions()
    counts, as_names, of_values = _count(examples)
    known = english_words() | of_values
    glued = {word for word in counts if is_glued(word)}
    typos = {
        word
        for word, count in counts.items()
        if word not in glued and count < options.typo_below and not is_known(word, known)
    }
    names = {word for word, count in counts.items() if as_names[word] >= options.entity_share * count}
    kept = counts.keys() - glued - typos - names
    named = _named(schema) if schema is not None else frozenset()
    return WordFile(
        kind="ours",
        words=frozenset(kept | named),
        source=source,
        settings=asdict(options),
        figures={
            "training words": len(counts),
            "glued": len(glued),
            "likely typos": len(typos),
            "names": len(names - glued - typos),
            "kept": len(kept),
            "schema words": len(named),
        },
    )


def english_words() -> frozenset[str]:
    """pyspellchecker's English words, lower-cased."""
    return frozenset(spellchecker.SpellChecker(language="en").word_frequency.dictionary)


def is_glued(word: str) -> bool:
    """Whether a blank was forgotten inside `word`: `made.The` is glued, `a.m`, `I've` and `check-in` are not."""
    return bool(_GLUED.search(word)) and not _ABBREVIATION.fullmatch(word)


def is_known(word: str, known: frozenset[str]) -> bool:
    """Whether `word` is in `known` as written, or in a usual case one of these is: itself, without `'s`, its parts.

    Usual cases are `word`, `Word` and `WORD` (`PHone` is a slip); parts are those of a compound (`pick-up`).
    Abbreviations such as `a.m` are known by their form.
    """
    if word in known or _ABBREVIATION.fullmatch(word):
        return True
    parts = _COMPOUND.split(word)
    if not all(part.islower() or part.isupper() or part == part.capitalize() for part in parts):
        return False
    lowered = [part.lower() for part in parts]
    if word.lower() in known or word.lower().removesuffix("'s") in known:
        return True
    return len(parts) > 1 and all(part in known for part in lowered)


def _named(schema: Schema) -> frozenset[str]:
    # The paper keeps `(or` and `fee,` of a description as they are, which no text can contain as a word.
    return frozenset(word for chunk in schema_words(schema) if is_word(word := core(chunk)))


def _count(examples: Iterable[Example]) -> tuple[Counter[str], Counter[str], frozenset[str]]:
    """How often each word occurs, how often it does inside a name from the input, and all words of names.

    The last are given as written and lower-cased.
    """
    counts: Counter[str] = Counter()
    as_names: Counter[str] = Counter()
    of_values: set[str] = set()
    for example in examples:
        names = [[core(chunk) for chunk in name.split()] for name in entities(example)]
        for name in names:
            of_values.update(name)
            of_values.update(map(str.lower, name))
        for reference in example.references:
            cores = [core(chunk) for chunk in reference.split()]
            licensed = positions_of_names(cores, names)
            for position, word in enumerate(cores):
                if is_word(word):
                    counts[word] += 1
                    as_names[word] += position in licensed
    return counts, as_names, frozenset(of_values)


def positions_of_names(words: Sequence[str], names: Iterable[Sequence[str]]) -> set[int]:
    """The positions in `words` that lie inside a whole name; a name's last word may take `'s`."""
    found: set[int] = set()
    for name in names:
        *front, last = name
        for start in range(len(words) - len(front)):
            end = start + len(front)
            if words[end] in (last, f"{last}'s") and list(words[start:end]) == front:
                found.update(range(start, end + 1))
    return found
