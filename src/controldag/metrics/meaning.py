"""Meaning error rates: what a verifier that had no part in a text makes of it, as figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controldag.metrics.measure import Measure, percentage

MEANING = ("meaning_text", "meaning_act", "broken_text")
NOT_JUDGED = "not judged: no verifier was asked"


@dataclass(frozen=True, slots=True)
class TextMeaning:
    """What was judged of one text.

    acts: how many acts or triples its input has; unsaid: how many of them it says wrongly or not at all. extra: it says
    something that the input does not. broken: it is no whole English.
    """

    acts: int
    unsaid: int
    extra: bool
    broken: bool


def meaning_measures(texts: Sequence[TextMeaning], judge: str) -> Iterator[Measure]:
    """`meaning_text`, `meaning_act` and `broken_text`: percentages of texts, of acts and of texts, by `judge`."""
    wrong = [text.unsaid > 0 or text.extra for text in texts]
    yield percentage("meaning_text", f"{judge}|an act or triple not said, or something else said", wrong)
    unsaid, acts = [text.unsaid for text in texts], [text.acts for text in texts]
    yield percentage("meaning_act", f"{judge}|acts or triples wrong or missing, of all of them", unsaid, acts)
    yield percentage("broken_text", f"{judge}|no whole English", [text.broken for text in texts])
