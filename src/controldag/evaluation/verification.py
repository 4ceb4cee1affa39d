"""Texts of any system beside their inputs, judged by a verifier: each input is read once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.meaning import TextMeaning, meaning_measures
from controldag.metrics.measure import Measure
from controldag.verifier.verdict import ClaimVerdict, Verification

Pair: TypeAlias = tuple[Example, str]
# More texts beside one input than this need too much memory at a time.
_MOST_TEXTS = 64
# The score of a text that holds nothing: below what any words get.
_NOTHING_SAID = -20.0


class VerifierBar(Protocol):
    """Log-odds below which an act is not said, a text says something else, or is no whole English."""

    @property
    def act(self) -> float: ...

    @property
    def nothing_else(self) -> float: ...

    @property
    def whole(self) -> float: ...


class TextVerifier(Protocol):
    """What is needed of a verifier: `controldag.verifier.verifier.Verifier` is one."""

    @property
    def bar(self) -> VerifierBar: ...

    def verify(self, example: Example, texts: Sequence[str], schema: Schema | None = None) -> list[Verification]: ...


@dataclass(frozen=True, slots=True)
class Group:
    """Different texts for one input; `rows[i]`: the places, among all pairs, where `texts[i]` stands."""

    example: Example
    texts: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


Watch: TypeAlias = Callable[[Sequence[Group]], Iterable[Group]]


def unwatched(groups: Sequence[Group]) -> Iterable[Group]:
    """The groups, with nobody told how many are done."""
    return groups


def verify_pairs(
    verifier: TextVerifier, pairs: Sequence[Pair], schema: Schema | None, watch: Watch = unwatched
) -> list[Verification]:
    """What the verifier says of each text, in order; `watch` passes the groups on and may show how far it is.

    A text of nothing but blanks is not shown to it: it says no act.
    """
    found: dict[int, Verification] = {}
    for group in watch(grouped(pairs)):
        judged = verifier.verify(group.example, group.texts, schema)
        found |= {row: each for rows, each in zip(group.rows, judged, strict=True) for row in rows}
    return [found[row] if row in found else _nothing_said(example) for row, (example, _) in enumerate(pairs)]


def grouped(pairs: Sequence[Pair]) -> list[Group]:
    """The pairs by input, in order of appearance, each text of an input once; without those of empty texts."""
    examples: dict[object, Example] = {}
    rows_by_text: dict[object, dict[str, list[int]]] = {}
    for row, (example, text) in enumerate(pairs):
        if text.strip():
            content = (example.service, example.acts, example.triples)
            examples.setdefault(content, example)
            rows_by_text.setdefault(content, {}).setdefault(text, []).append(row)
    return [part for content, rows in rows_by_text.items() for part in _parts(examples[content], rows)]


def _parts(example: Example, rows_by_text: dict[str, list[int]]) -> Iterator[Group]:
    # Texts of like length together: a batch is as wide as its longest.
    texts = sorted(rows_by_text, key=len)
    for start in range(0, len(texts), _MOST_TEXTS):
        part = tuple(texts[start : start + _MOST_TEXTS])
        yield Group(example, part, tuple(tuple(rows_by_text[text]) for text in part))


def _nothing_said(example: Example) -> Verification:
    acts = tuple(ClaimVerdict(claim, "missing", 0.0) for claim in written(example))
    return Verification(accepted=False, score=_NOTHING_SAID, acts=acts, nothing_else=1.0, whole=0.0)


def says_more(verification: Verification, bar: VerifierBar) -> bool:
    """Whether the text says something that its input does not, as sure as the bar asks for."""
    return verification.nothing_else < _chance(bar.nothing_else)


def is_broken(verification: Verification, bar: VerifierBar) -> bool:
    """Whether the text is no whole English, as sure as the bar asks for."""
    return verification.whole < _chance(bar.whole)


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


@dataclass(frozen=True, slots=True)
class MeaningJudge:
    """A verifier that measures, what figures call it, and the checksum of its weights."""

    verifier: TextVerifier
    name: str
    watch: Watch = unwatched
    sha256: str = ""

    def measures(self, examples: Sequence[Example], texts: Sequence[str], schema: Schema | None) -> list[Measure]:
        """The meaning error rates of one text for each example."""
        return list(meaning_measures(self._meanings(examples, texts, schema), self.name))

    def wrong(self, examples: Sequence[Example], texts: Sequence[str], schema: Schema | None) -> list[bool]:
        """Whether each text has a meaning error."""
        return [text.unsaid > 0 or text.extra for text in self._meanings(examples, texts, schema)]

    def _meanings(self, examples: Sequence[Example], texts: Sequence[str], schema: Schema | None) -> list[TextMeaning]:
        pairs = list(zip(examples, texts, strict=True))
        return [self._meaning(each) for each in verify_pairs(self.verifier, pairs, schema, self.watch)]

    def _meaning(self, verification: Verification) -> TextMeaning:
        bar = self.verifier.bar
        return TextMeaning(
            acts=len(verification.acts),
            unsaid=sum(act.probability < _chance(bar.act) for act in verification.acts),
            extra=says_more(verification, bar),
            broken=is_broken(verification, bar),
        )
