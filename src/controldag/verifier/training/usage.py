"""Which words follow which in sound English: to break sentences as a model does, one likely step after another."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

Item = str | int
Text = list[Item]
START, VALUE = "<s>", "<v>"
_MOST_FOLLOWERS = 400


class Usage:
    """Followers of each word as often as they were seen, and all runs of three words. Values count as one word."""

    def __init__(self, texts: Iterable[Sequence[Item]]) -> None:
        self._followers: dict[str, list[str]] = {}
        self._triples: set[int] = set()
        for text in {tuple(map(_class, text)) for text in texts}:
            words = (START, START, *text, START)
            for first, second, third in zip(words, words[1:], words[2:], strict=False):
                self._triples.add(hash((first, second, third)))
                known = self._followers.setdefault(second, [])
                if len(known) < _MOST_FOLLOWERS:
                    known.append(third)

    def after(self, item: Item | None, chance: random.Random) -> str | None:
        """A word that was seen after this one (None: at the beginning); None where a sentence would end."""
        found = chance.choice(self._followers.get(START if item is None else _class(item), [START]))
        return None if found == START else found

    def follows(self, item: Item, before: Item) -> bool:
        """Whether a word was seen after another."""
        return _class(item) in self._followers.get(_class(before), ())

    def is_unheard(self, text: Sequence[Item]) -> bool:
        """Whether some three words in a row were never seen."""
        words = [START, START, *map(_class, text), START]
        return any(hash(each) not in self._triples for each in zip(words, words[1:], words[2:], strict=False))


def _class(item: Item) -> str:
    return item if isinstance(item, str) else VALUE
