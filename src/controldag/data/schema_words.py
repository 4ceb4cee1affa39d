"""Which words of a schema a text is likely to repeat: those are pointed at, as values are (data/value_marks.py).

Learnt from training data: how often a text says a word that stands in a part of its input (the name of a slot, a
description), for each word that training has, and for words it has not by part, place and how common the word is.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controldag.data.full_input import schema_parts
from controldag.errors import DataError
from controldag.files import write_json

FILE = "schema_words.json"
FORMAT = "controldag-schema-words/1"
ENDINGS = ("s", "es", "d", "ed", "ing", "'s")
"""What may follow a word that is pointed at: the model says it in pieces of its own."""

_WORD = re.compile(r"(?<![\w<])[^\W\d_]{3,}(?:'s)?(?![\w>])")
_BANDS = (150, 600, 2400, 9600)
"""The most frequent so many words of plain sentences: how common a word is, where nothing else is known of it."""
ENOUGH = 0.08
"""The share of texts that have to repeat a word, or words like it, for it to be pointed at."""
_STRENGTH = 20.0
"""A word's own share counts as much as that of its kind after this many texts."""
_LEAST_SEEN = 5
_GAIN = 4.0
"""A word is repeated, and not only frequent, where inputs that hold it make it so many times as frequent."""


@dataclass(frozen=True, slots=True)
class SchemaWords:
    """The shares of texts that repeat a word, by part and word and by kinds of words, and what share is enough."""

    words: Mapping[str, float]  # `part word` → share
    kinds: Mapping[str, float]  # `part band place` → share, for words that training lacks
    bands: Mapping[str, int]  # a common word → its band; others have the last
    enough: float = ENOUGH

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]], sentences: Iterable[str], enough: float = ENOUGH) -> SchemaWords:
        """From full inputs and their texts, values marked in both, and plain sentences, which tell common words."""
        inputs = list(pairs)
        frequency = Counter(base_form(word) for sentence in sentences for word in _WORD.findall(sentence))
        ranks = {word: rank for rank, (word, _) in enumerate(frequency.most_common(_BANDS[-1]))}
        bands = {word: sum(rank >= limit for limit in _BANDS) for word, rank in ranks.items()}
        counts = _counted(inputs)
        by_kind: defaultdict[str, list[float]] = defaultdict(list)
        together: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        for (part, word, place), (total, repeated) in counts.items():
            # In its kind every word counts once, however often its service is talked about: kinds are for new words.
            kind = _kind(part, bands.get(word, len(_BANDS)), place)
            by_kind[kind].append(repeated / total)
        kinds = {kind: round(sum(shares) / len(shares), 4) for kind, shares in sorted(by_kind.items())}
        for (part, word, place), (total, repeated) in counts.items():
            expected = kinds[_kind(part, bands.get(word, len(_BANDS)), place)]
            sums = together[f"{part} {word}"]
            sums[:] = sums[0] + total, sums[1] + repeated, sums[2] + total * expected
        words = {
            key: round((repeated + _STRENGTH * expected / total) / (total + _STRENGTH), 4)
            for key, (total, repeated, expected) in sorted(together.items())
            if total >= _LEAST_SEEN
        }
        return cls(words, kinds, bands, enough)

    def share(self, part: str, word: str, place: str) -> float:
        """The share of texts that repeat `word` (a base form) of this part of their input."""
        known = self.words.get(f"{part} {word}")
        return known if known is not None else self.kinds.get(_kind(part, self._band(word), place), 0.0)

    def of(self, source: str, most: int) -> tuple[str, ...]:
        """The words of a full input to point at, as base forms in its order: at most so many, the likeliest ones."""
        shares: dict[str, float] = {}
        for part, word, place in _candidates(source):
            shares[word] = max(shares.get(word, 0.0), self.share(part, word, place))
        likely = sorted((word for word in shares if shares[word] >= self.enough), key=lambda word: -shares[word])
        kept = frozenset(likely[:most])
        return tuple(word for word in shares if word in kept)

    def _band(self, word: str) -> int:
        return self.bands.get(word, len(_BANDS))

    def save(self, path: str | Path) -> None:
        """Writes the shares as JSON."""
        content = {"words": dict(self.words), "kinds": dict(self.kinds), "bands": dict(self.bands)}
        write_json(path, {"format": FORMAT, "enough": self.enough, **content})

    @classmethod
    def load(cls, path: str | Path) -> SchemaWords:
        """The shares in a file that `save` wrote."""
        remedy = "Prepare the data, or package the model, again."
        try:
            content = json.loads(Path(path).read_text("utf-8"))
            if content["format"] != FORMAT:
                raise DataError(f"holds no words of schemas ({content['format']!r}).", path=path, remedy=remedy)
            words, kinds = ({str(key): float(v) for key, v in content[n].items()} for n in ("words", "kinds"))
            bands = {str(key): int(value) for key, value in content["bands"].items()}
            return cls(words, kinds, bands, float(content["enough"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"holds no words of schemas ({error}).", path=path, remedy=remedy) from error


def _counted(inputs: Sequence[tuple[str, str]]) -> dict[tuple[str, str, str], tuple[int, int]]:
    """By part, word and place: in how many inputs it stands, and how many of their texts repeat it."""
    usual = Usual.of(inputs)
    counts: defaultdict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for source, text in inputs:
        said = {base_form(word) for word in _WORD.findall(text)}
        for key in set(_candidates(source)):
            found = counts[key]
            found[:] = found[0] + 1, found[1] + (key[1] in said), found[2] + usual.share(source, key[1])
    # `the` stands in many texts, whatever their inputs hold: it is not repeated.
    return {
        key: (int(total), int(repeated) if repeated >= _GAIN * by_chance else 0)
        for key, (total, repeated, by_chance) in counts.items()
    }


@dataclass(frozen=True, slots=True)
class Usual:
    """How usual words are in texts, by who speaks (the first word of an input)."""

    by_speaker: Mapping[str, Counter[str]]
    texts: Counter[str]  # their number, by speaker

    @classmethod
    def of(cls, inputs: Iterable[tuple[str, str]]) -> Usual:
        """Counted in full inputs and their texts."""
        by_speaker: defaultdict[str, Counter[str]] = defaultdict(Counter)
        texts: Counter[str] = Counter()
        for source, text in inputs:
            speaker = source.split(" ", 1)[0]
            by_speaker[speaker].update({base_form(word) for word in _WORD.findall(text)})
            texts[speaker] += 1
        return cls(by_speaker, texts)

    def share(self, source: str, word: str) -> float:
        """The share of this speaker's texts that hold the word."""
        speaker = source.split(" ", 1)[0]
        return self.by_speaker[speaker][word] / self.texts[speaker]


def base_form(word: str) -> str:
    """The word in lower case and, where it looks like a plural, without its `s`: what is pointed at."""
    lower = word.lower().removesuffix("'s")
    return lower[:-1] if len(lower) > 3 and lower.endswith("s") and lower[-2] not in "sui" else lower


def forms_of(words: Iterable[str]) -> Iterator[str]:
    """What base forms may be said as: themselves, and their plurals."""
    for word in filter(None, words):
        if not word.endswith("ie"):  # `citie`, of cities, is no word
            yield word
        yield f"{word}s"


def with_marks(text: str, marks: Mapping[str, str]) -> str:
    """The text with marks, by base form, in the place of words that stand as they are or before one of `ENDINGS`.

    Words are compared as written: base forms have no capitals.
    """

    def marked(match: re.Match[str]) -> str:
        word = match.group()
        stem = stem_in(word, marks)
        return word if stem is None else marks[stem] + word[len(stem) :]

    return _WORD.sub(marked, text)


def stem_in(word: str, known: Container[str]) -> str | None:
    """The base form among the known ones that the word is, or is with one of `ENDINGS`; None where there is none."""
    if word in known:
        return word
    stems = (word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending))
    return next((stem for stem in stems if stem in known), None)


def _candidates(source: str) -> Iterable[tuple[str, str, str]]:
    """Part, base form and place of every word of the schema in a full input.

    Places: `again` for a word that the schema says several times, else `last` of its part, or `inner`.
    """
    found = [
        (each, base_form(match.group()), match.end())
        for each in schema_parts(source)
        for match in _WORD.finditer(source, each.start, each.end)
    ]
    times = Counter(word for _, word, _ in found)
    for each, word, end in found:
        yield each.part, word, "again" if times[word] > 1 else "last" if end == each.end else "inner"


def _kind(part: str, band: int, place: str) -> str:
    return f"{part} {band} {place}"
