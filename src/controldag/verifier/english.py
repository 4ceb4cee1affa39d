"""Whether a text is whole English: what was heard before, read by a network of two small windows.

Beside the verifier's own network, which knows what is said but has heard too little English to stumble.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from controldag.verifier.heard import END, NUMBER, RARE, START, VALUE, Heard
from controldag.verifier.words import FUNCTION_WORDS, is_content, stem

Floats = NDArray[np.float32]
FEATURES = 18
WINDOWS = (5, 3)
HIDDEN = 32
SHAPES = {
    "first.weight": (HIDDEN, FEATURES, WINDOWS[0]),
    "first.bias": (HIDDEN,),
    "second.weight": (HIDDEN, HIDDEN, WINDOWS[1]),
    "second.bias": (HIDDEN,),
    "odd.weight": (1, HIDDEN),
    "odd.bias": (1,),
    "whole.weight": (1, 2 * HIDDEN),
    "whole.bias": (1,),
}
"""Of its weights, by name."""
_VOWEL = re.compile("(?!on(?:e|ce)\\b|eu|ou?i)[aeio][a-z]{2}|8|11\\b|18\\b")
_CONSONANT = re.compile("(?!h)[b-df-hj-np-tv-z][a-z]*[aeiouy][a-z]*$|[2-79]|1(?![18]\\b)")
_DAYS = frozenset(("today", "tonight", "tomorrow", "yesterday"))
# By how much a wrong small word lowers the log-odds that a text is whole English.
_WRONG_SMALL_WORD = 3.0


def features(words: Sequence[str], values: Sequence[int], known: AbstractSet[str], heard: Heard) -> Floats:
    """[words + 2, FEATURES]: how often each word was heard alone and after others, what it is, and what is repeated.

    values: the number of the value that each word belongs to, 0 for none; a value is read as one word.
    known: stems of the input's own words, which need not have been heard.
    """
    raw, spoken, said = _items(words, values, heard)
    count = len(spoken)
    runs = [*zip(spoken, strict=True), *pairwise(spoken), *zip(spoken, spoken[1:], spoken[2:], strict=False)]
    known_runs = heard.count(runs)
    single, pair, triple, before, pair_before = np.zeros((5, count))
    single[:], pair[1:], triple[2:] = known_runs[:count], known_runs[count : 2 * count - 1], known_runs[2 * count - 1 :]
    before[1:], pair_before[1:] = single[:-1], pair[:-1]
    made = np.zeros((len(spoken), FEATURES), np.float32)
    made[:, 0], made[:, 1], made[:, 2] = single / 8, pair / 6, triple / 5
    made[1:, 3] = (pair + heard.total - before - single)[1:] / 4
    made[2:, 4] = (triple - pair_before + heard.total - single)[2:] / 4
    made[2:, 5] = (triple - pair_before - pair + before)[2:] / 4
    seen: set[object] = set()
    rows = []
    last = START
    for place, (word, kind, what) in enumerate(zip(raw, spoken, said, strict=True)):
        inside = 0 < place < count - 1
        content = inside and is_content(word)
        again = (last, what) if place else None
        rows.append(
            (
                kind == VALUE,
                kind == NUMBER,
                kind == RARE,
                word in FUNCTION_WORDS,
                inside and kind != VALUE and not word[:1].isalnum(),
                content and stem(word) in known,
                place == 0,
                place == count - 1,
                inside and kind == last,
                kind == VALUE and what in seen,
                content and kind != VALUE and what in seen,
                content and again in seen,
            )
        )
        seen.add(what)
        seen.add(again)
        last = kind
    made[:, 6:] = rows
    return made


def _items(words: Sequence[str], values: Sequence[int], heard: Heard) -> tuple[list[str], list[str], list[object]]:
    """Word by word, a value as one: as written, as counted, and what two places must share to be a repetition."""
    raw: list[str] = []
    said: list[object] = []
    last = 0
    for word, value in zip(words, values, strict=True):
        if not value or value != last:
            raw.append(VALUE if value else word)
            said.append(value or word)
        last = value
    spoken = heard.classes(raw) if raw else []
    return [START, *raw, END], [START, *spoken, END], [object(), *said, object()]


def wrong_small_words(words: Sequence[str]) -> int:
    """How often *a* stands before a vowel, *an* before none, or *on* before *today*; for counts, values are one word.

    Words whose sound their letters do not tell (*hour*, *user*, single letters) are passed over.
    """
    return sum(
        (first == "a" and bool(_VOWEL.match(second)))
        or (first == "an" and bool(_CONSONANT.match(second)))
        or (first == "on" and second in _DAYS)
        for first, second in pairwise(words)
    )


@dataclass(frozen=True, slots=True)
class English:
    """heard: what was heard. weights: of the network, by name."""

    heard: Heard
    weights: Mapping[str, Floats]

    def log_odds(self, words: Sequence[str], values: Sequence[int], known: AbstractSet[str]) -> float:
        """That the text is whole English, as a log-odds."""
        state = features(words, values, known, self.heard)
        for name in ("first", "second"):
            state = np.maximum(_windowed(state, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]), 0)
        odd = state @ self.weights["odd.weight"][0] + self.weights["odd.bias"][0]
        pooled = np.concatenate([state.max(0), state.mean(0)])
        broken = odd.max() + pooled @ self.weights["whole.weight"][0] + self.weights["whole.bias"][0]
        return -float(broken) - _WRONG_SMALL_WORD * wrong_small_words(words)


def _windowed(state: Floats, weight: Floats, bias: Floats) -> Floats:
    """A convolution over places: weight [out, in, window]."""
    count, size = state.shape
    window = weight.shape[2]
    padded = np.zeros((count + window - 1, size), np.float32)
    padded[window // 2 : window // 2 + count] = state
    # Each row holds the places of one window, one after another.
    windows = np.lib.stride_tricks.as_strided(padded, (count, window * size), padded.strides)
    return np.asarray(windows @ weight.transpose(2, 1, 0).reshape(window * size, -1) + bias, np.float32)
