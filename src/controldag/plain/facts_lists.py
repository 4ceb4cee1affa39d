"""Sets of words as readable text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of the text."""
    return frozenset(text.split())


def phrase_set(text: str) -> frozenset[str]:
    """The phrases of the text, which `|` separates; line ends count as blanks."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|") if phrase.strip())
