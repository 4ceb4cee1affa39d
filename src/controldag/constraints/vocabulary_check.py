"""Whether a text keeps to a vocabulary: plain string code for `constraints.check`, sharing nothing with the engine."""

from __future__ import annotations

import re
from functools import lru_cache

from controldag.constraints.token_level import TokenDictionary, TokenVocabulary
from controldag.constraints.vocabulary import Vocabulary

_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*(?:st|nd|rd|th|s|am|pm|AM|PM)?")
_DIGIT = re.compile(r"[0-9]")


def keeps_to(vocabulary: Vocabulary, text: str) -> bool:
    """Whether the text is units with one blank between them: edge punctuation, a core, edge punctuation.

    A core is a listed word, a number or a whole entity (which may hold blanks and take `'s`).
    """
    if not text:
        return False
    begins, reached, seen = [0], False, {0}
    while begins and not reached:
        for end in _unit_ends(vocabulary, text, begins.pop()):
            if end == len(text):
                reached = True
            elif end + 1 not in seen:
                seen.add(end + 1)
                begins.append(end + 1)
    return reached


def _unit_ends(vocabulary: Vocabulary, text: str, begin: int) -> list[int]:
    """Where units that begin here can end: before a blank, or at the end of the text."""
    ends: list[int] = []
    marks = vocabulary.words.punctuation
    stop = text.find(" ", begin)
    stop = len(text) if stop < 0 else stop
    chunk = text[begin:stop]
    if _is_plain_unit(vocabulary, chunk):
        ends.append(stop)
    at = begin
    while True:
        for entity in vocabulary.entities if text.startswith(vocabulary.entities, at) else ():
            if text.startswith(entity, at):
                after = at + len(entity)
                ends += _after_marks(text, after, marks)
                if vocabulary.genitives and text.startswith("'s", after):
                    ends += _after_marks(text, after + 2, marks)
        if at >= len(text) or text[at] not in marks:
            return ends
        at += 1


def _is_plain_unit(vocabulary: Vocabulary, chunk: str) -> bool:
    """Whether a chunk is punctuation, a word or number, punctuation."""
    marks = vocabulary.words.punctuation
    if _is_core(vocabulary, chunk.strip(marks)):
        return True
    # A licensed number may itself begin or end with what counts as punctuation ("-5"): it stands in the chunk so that
    # only punctuation is left on either side.
    front = len(chunk) - len(chunk.lstrip(marks))
    back = len(chunk) - len(chunk.rstrip(marks))
    return any(
        chunk.find(number, max(0, len(chunk) - back - len(number)), front + len(number)) >= 0
        for number in vocabulary.numbers or ()
    )


def _is_core(vocabulary: Vocabulary, core: str) -> bool:
    if not core:
        return False
    if vocabulary.numbers is None:
        return core in vocabulary.words.words or _NUMBER.fullmatch(core) is not None
    return core in vocabulary.numbers or (core in vocabulary.words.words and not _DIGIT.search(core))


def _after_marks(text: str, at: int, marks: str) -> list[int]:
    """The end of the punctuation from here on, if a blank or the end of the text follows."""
    while at < len(text) and text[at] in marks:
        at += 1
    return [at] if at == len(text) or text[at] == " " else []


@lru_cache(maxsize=64)
def _word_sizes(dictionary: TokenDictionary) -> frozenset[int]:
    return frozenset(map(len, dictionary.words))


def splits_into(vocabulary: TokenVocabulary, tokens: tuple[int, ...]) -> bool:
    """Whether the tokens are words of the dictionary and names of the input, one after another."""
    words, names = vocabulary.dictionary.words, vocabulary.dynamic
    sizes = _word_sizes(vocabulary.dictionary) | set(map(len, names))
    reached = [True]
    for end in range(1, len(tokens) + 1):
        pieces = (tokens[end - size : end] for size in sizes if size <= end and reached[end - size])
        reached.append(any(piece in words or piece in names for piece in pieces))
    return reached[-1]
