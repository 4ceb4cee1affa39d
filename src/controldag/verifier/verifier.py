"""`Verifier`: whether texts say what their input claims, act by act."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import DataError, InvalidInput
from controldag.runtime.tensors import Tensors
from controldag.verifier.claims import Claims, claims_of
from controldag.verifier.engine import EngineNetwork
from controldag.verifier.judged import Floats, Judged
from controldag.verifier.layout import ClaimLayout, TextLayout, lay_out_claims, lay_out_text
from controldag.verifier.verdict import JUDGEMENTS, ClaimVerdict, Verification
from controldag.verifier.weights import CONFIG, Stored, load_english, load_network, read_config
from controldag.verifier.words import Word, is_content, stem, words_of

LONGEST_TEXT = 512
# Words of claims that are read at once: those of some two hundred acts. Time and memory grow with their square.
MOST_CLAIM_WORDS = 2_048


@dataclass(frozen=True, slots=True)
class Bar:
    """From which log-odds on a text is accepted: of its weakest act, of saying nothing else, of being whole English."""

    act: float = 1.25
    nothing_else: float = -2.0
    whole: float = -2.0


# A text that may say more than its input, or stumbles, is less likely to be right than its weakest act tells: by so
# much of what is missing to these log-odds. And of nothing it can be surer than this.
_DOUBT_OF_MORE, _SURE_OF_NO_MORE = 0.3, 3.0
_DOUBT_OF_ENGLISH, _SURE_OF_ENGLISH = 0.15, 2.0
_SUREST = 4.0


class Verifier:
    """A loaded verifier. Reads an input once and any number of texts beside it."""

    def __init__(self, network: Stored, folder: Path, bar: Bar | None = None) -> None:
        self.bar = bar or Bar()
        self._english = load_english(folder)
        self._network = EngineNetwork(network.options, Tensors(network.tensors, folder), network.lexicon)

    @classmethod
    def load(cls, folder: str | Path) -> Verifier:
        """The verifier in a folder."""
        folder = Path(folder)
        network = load_network(folder)
        return cls(network, folder, _bar(read_config(folder).get("bar"), folder))

    def verify(self, example: Example, texts: Sequence[str], schema: Schema | None = None) -> list[Verification]:
        """What it says of each text, in order."""
        if not texts:
            return []
        claims = claims_of(example, schema)
        layout, values = lay_out_claims(claims)
        if len(layout.words) > MOST_CLAIM_WORDS:
            raise InvalidInput(
                f"The input claims {len(layout.words):,} words; the verifier reads {MOST_CLAIM_WORDS:,} at once.",
                remedy="Say less at once.",
            )
        words = [words_of(text)[:LONGEST_TEXT] for text in texts]
        laid = [lay_out_text([word.norm for word in each], values) for each in words]
        judged = self.judge(layout, laid)
        labels = list(written(example))
        return [
            self._verification(labels, layout, claims, words[row], laid[row], judged, row) for row in range(len(texts))
        ]

    def judge(self, claims: ClaimLayout, texts: Sequence[TextLayout]) -> Judged:
        """The network's judgement of texts beside one input."""
        return self._network.judge(claims, texts)

    def _verification(
        self,
        labels: list[str],
        layout: ClaimLayout,
        claims: Claims,
        words: list[Word],
        text: TextLayout,
        judged: Judged,
        row: int,
    ) -> Verification:
        count = len(labels)
        chances = _softmax(judged.claims[row, :count])
        acts = []
        for place in range(count):
            best = int(chances[place].argmax())
            said = float(chances[place, 0])
            where = _places(place, layout, words, text, judged.places[row, place, : len(words)])
            acts.append(ClaimVerdict(labels[place], JUDGEMENTS[best], said, where))
        no_more, sound = (-float(each) for each in judged.overall[row])
        whole = self._whole(layout, text, sound)
        odds = min([_SUREST, *(_log_odds(act.probability) for act in acts)])
        doubt = _DOUBT_OF_MORE * max(0.0, _SURE_OF_NO_MORE - no_more)
        doubt += _DOUBT_OF_ENGLISH * max(0.0, _SURE_OF_ENGLISH - whole)
        score = odds - doubt - self.bar.act
        sound = no_more >= self.bar.nothing_else and whole >= self.bar.whole
        return Verification(sound and score >= 0, score, tuple(acts), _chance(no_more), _chance(whole), sound)

    def _whole(self, claims: ClaimLayout, text: TextLayout, otherwise: float) -> float:
        """The log-odds that a text is whole English, by what was heard; `otherwise` where that is not known."""
        if self._english is None:
            return otherwise
        known = {stem(word) for word in claims.words if is_content(word)}
        return self._english.log_odds(text.words, text.values, known)


def _bar(stored: object, folder: Path) -> Bar | None:
    """The bar of a config, where it has one."""
    if not stored:
        return None
    names = {each.name for each in fields(Bar)}
    if not isinstance(stored, dict) or not stored.keys() <= names or not all(map(_is_finite, stored.values())):
        raise DataError(f"must hold numbers: {', '.join(sorted(names))}.", path=folder / CONFIG, field="bar")
    return Bar(**stored)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _places(
    claim: int, layout: ClaimLayout, words: list[Word], text: TextLayout, weights: Floats
) -> tuple[tuple[int, int], ...]:
    """Where the values of a claim stand in the text; for one without, the words that were looked at most."""
    own = {value for value, of in zip(layout.values, layout.claims, strict=True) if value and of == claim}
    spots = [number for number, value in enumerate(text.values) if value in own]
    if not spots and len(words):
        least = float(weights.max()) / 3
        spots = [number for number, weight in enumerate(weights.tolist()) if weight >= least]
    return _joined(spots, words)


def _joined(spots: list[int], words: list[Word]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    last = -2
    for spot in spots:
        if spot == last + 1 and found:
            found[-1] = (found[-1][0], words[spot].end)
        else:
            found.append((words[spot].begin, words[spot].end))
        last = spot
    return tuple(found)


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True))


def _log_odds(chance: float) -> float:
    bounded = min(max(1e-6, chance), 1 - 1e-6)  # in this order, what is no number is the least chance and not the best
    return math.log(bounded / (1 - bounded))


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))
