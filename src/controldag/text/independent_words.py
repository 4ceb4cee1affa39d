"""A word list that owes nothing to the data sets: pyspellchecker's English and a short list written by hand.

A vocabulary constraint built from training words and a neologism rate judged with training words agree by
construction. This list shares neither words nor code with the lists that steer decoding, so that a neologism rate
judged with it means something; that is why it opens pyspellchecker itself.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import version

from spellchecker import SpellChecker

from controldag.text.allow_list import ALLOWED_WORDS
from controldag.text.words import WordFile


@lru_cache(maxsize=1)
def independent_words() -> WordFile:
    """pyspellchecker's English words and the allow-list, ignoring case. Made once: that takes half a second."""
    dictionary = {word.lower() for word in SpellChecker(language="en").word_frequency.words()}
    return WordFile(
        kind="independent",
        words=frozenset(dictionary | ALLOWED_WORDS),
        ignore_case=True,
        source=f"pyspellchecker {version('pyspellchecker')}, controldag/text/allow_list.py",
        figures={"dictionary": len(dictionary), "allow-list": len(ALLOWED_WORDS - dictionary)},
    )
