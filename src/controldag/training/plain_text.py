"""Plain sentences as pretraining tasks: fill the gaps of a sentence, or rebuild it from its content words.

Some names and words of a sentence have marks, as values and words of a schema have: pointing is learnt here too.
"""

from __future__ import annotations

import lzma
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controldag.data.schema_words import base_form
from controldag.data.value_marks import MarkedValues, mark
from controldag.errors import DataError

INFILL, REBUILD = "infill", "rebuild"
GAP = "_"
_COMMON = 250
"""The most frequent so many words are no content words: learnt from the sentences, no list."""
_FEWEST, _MOST = 4, 28  # words of a sentence
_LABEL = re.compile(r"^\(?[A-Z0-9][.)]|^[\w' ]{1,24}:|^\W*$|[<>_{}|]")
_CHUNK = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")
_POINTED = 0.5  # share of the names and rare words with a mark
_GAPPED = 0.3  # share of the words that infilling leaves out
_SHUFFLED = 0.3  # share of the sentences whose content words lose their order


@dataclass(frozen=True, slots=True)
class PlainSentences:
    """Sentences fit to learn from, and the words that are common in them."""

    sentences: tuple[str, ...]
    common: frozenset[str]

    @classmethod
    def read(cls, path: str | Path) -> PlainSentences:
        """From lines `source TAB domain TAB sentence`, xz-compressed; labels, fragments and long ones left out."""
        try:
            with lzma.open(path, "rt", encoding="utf-8") as file:
                lines = [line.rstrip("\n").split("\t", 2) for line in file]
        except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
            remedy = "Fetch it again."
            raise DataError(f"cannot be read ({error}).", path=path, remedy=remedy) from error
        return cls.of(line[2] for line in lines if len(line) == 3)

    @classmethod
    def of(cls, sentences: Iterable[str]) -> PlainSentences:
        """From any sentences, each kept once."""
        kept = tuple(dict.fromkeys(filter(_fit, map(str.strip, sentences))))
        counts = Counter(chunk.lower() for sentence in kept for chunk in _CHUNK.findall(sentence))
        return cls(kept, frozenset(word for word, _ in counts.most_common(_COMMON)))


@dataclass(frozen=True, slots=True)
class PlainTasks:
    """What turns a sentence into a source and a target, both with marks."""

    common: frozenset[str]
    value_marks: int
    word_marks: int

    def pair(self, task: str, sentence: str, chance: random.Random) -> tuple[str, str]:
        """Source and target of one sentence for `infill` or `rebuild`."""
        names, words = self._pointed(sentence, chance)
        values = MarkedValues(names).with_words(words, self.value_marks)
        target = values.in_text(sentence)
        source = self._gapped(target, chance) if task == INFILL else self._content(target, chance)
        return f"{task} : {_with_hints(source, values)}", target

    def _pointed(self, sentence: str, chance: random.Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names (and numbers), and base forms of other words that are not common, which get marks."""
        names: dict[str, None] = {}
        words: dict[str, None] = {}
        for match in _CHUNK.finditer(sentence):
            chunk = match.group()
            if chunk.lower() in self.common or chance.random() >= _POINTED:
                continue
            if chunk[0].isdigit() or (chunk[0].isupper() and match.start() > 0):
                names[chunk] = None
            elif chunk.isalpha() and chunk.islower() and len(chunk) > 2:
                words[base_form(chunk)] = None
        most = self.value_marks // 2, self.word_marks // 3
        placed = [""] * self.word_marks
        kept = list(words)[: most[1]]
        for place, word in zip(chance.sample(range(self.word_marks), len(kept)), kept, strict=True):
            placed[place] = word
        return tuple(names)[: most[0]], tuple(placed)

    def _gapped(self, text: str, chance: random.Random) -> str:
        """The text with spans of one to three words left out; never a mark, which nothing could guess."""
        kept: list[str] = []
        left = 0
        for chunk in text.split():
            if left == 0 and chance.random() < _GAPPED / 2:
                left = chance.randint(1, 3)
            if left and "<v" not in chunk:
                left -= 1
                if not kept or kept[-1] != GAP:
                    kept.append(GAP)
            else:
                left = 0
                kept.append(chunk)
        return " ".join(kept)

    def _content(self, text: str, chance: random.Random) -> str:
        """The words of the text that are not common, some as base forms, in order or shuffled."""
        found = []
        for chunk in text.split():
            bare = chunk.strip(".,;:!?\"'()[]")
            if bare.startswith("<v"):
                found.append(bare[: bare.index(">") + 1])
            elif bare and bare.lower() not in self.common:
                found.append(base_form(bare) if bare.islower() and chance.random() < 0.5 else bare)
        if chance.random() < _SHUFFLED:
            chance.shuffle(found)
        return " , ".join(found)


def _with_hints(source: str, values: MarkedValues) -> str:
    """The source with what each mark stands for behind it."""
    for index, value in enumerate(values.spelled):
        if value:
            source = source.replace(mark(index), f"{mark(index)} {value}")
    return source


def _fit(sentence: str) -> bool:
    return _FEWEST <= sentence.count(" ") + 1 <= _MOST and not _LABEL.search(sentence)
