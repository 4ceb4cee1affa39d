"""Words and numbers of a text that neither a checkpoint's list nor the input knows."""

from __future__ import annotations

import re

from controldag.checkpoint.knowledge import Knowledge
from controldag.data.phrases import entities, licensed_numbers
from controldag.data.records import Example
from controldag.text.chunks import core, is_word

_CHUNK = re.compile(r"\S+")


def invented_places(text: str, example: Example, knowledge: Knowledge) -> tuple[tuple[int, int], ...]:
    """Where they stand: `text[begin:end]`."""
    listed = knowledge.words.words if knowledge.words is not None else frozenset()
    parts = {core(part) for name in entities(example) for part in name.split()}
    names = parts | {part.lower() for part in parts}
    numbers = licensed_numbers(example)
    found = []
    for chunk in _CHUNK.finditer(text):
        word = core(chunk[0])
        bare = word.removesuffix("'s")
        if not word or {word, bare, word.lower(), bare.lower()} & names:
            continue
        if (is_word(word) and word not in listed and word.lower() not in listed) or (
            word[0].isdigit() and word not in numbers and word.rstrip("amp. ").rstrip() not in numbers
        ):
            found.append(chunk.span())
    return tuple(found)
