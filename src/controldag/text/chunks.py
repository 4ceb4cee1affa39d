"""Texts as blank-separated chunks, and the word inside each: what a vocabulary constraint is defined on."""

from __future__ import annotations

import string

# What may stand at the edges of a word without being part of it: ASCII punctuation, as in the paper's code.
EDGE_PUNCTUATION = string.punctuation


def core(chunk: str) -> str:
    """The chunk without punctuation at its edges (`(check-in),` → `check-in`); inner punctuation stays."""
    return chunk.strip(EDGE_PUNCTUATION)


def is_word(text: str) -> bool:
    """Whether a core is a word: not empty, and not beginning with a digit (`5`, `2nd`, `12:30` are numbers here)."""
    return bool(text) and not text[0].isdigit()


def words_of(text: str) -> list[str]:
    """The words of a text in order, case as written."""
    return [word for chunk in text.split() if is_word(word := core(chunk))]
