"""Phrases that must, or must not, appear (the paper's hard lexical constraints, and more)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controldag import _core
from controldag.constraints.algebra import Constraint
from controldag.errors import InvalidInput, utf8

MAX_PHRASES = 256


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase and how it is matched.

    whole_word: no word character (ASCII letter, digit, `_`, or any non-ASCII character) may touch an end of the
        phrase that is itself a word character: `2` is not in `25`, `$5` is in `US$5`.
    """

    text: str
    ignore_case: bool = False
    whole_word: bool = False

    def __post_init__(self) -> None:
        if not self.text:
            raise InvalidInput.of("phrase", "not be empty", self.text)

    def _core(self) -> tuple[bytes, bool, bool]:
        return utf8("phrase", self.text), self.ignore_case, self.whole_word


@dataclass(frozen=True, slots=True)
class Stages(Constraint):
    """One phrase of each stage in turn, without overlap; `own`: see `contains`."""

    stages: tuple[tuple[Phrase, ...], ...]
    own: bool = False


def _stages(stages: Sequence[Sequence[Phrase]], label: str, *, own: bool = False) -> Constraint:
    total = sum(len(stage) for stage in stages)
    if not stages or not all(stages):
        raise InvalidInput.of("phrases", "not be empty", stages)
    if total > MAX_PHRASES:
        raise InvalidInput.of("phrases", f"be at most {MAX_PHRASES} in one constraint", total)
    core = _core.phrases([[phrase._core() for phrase in stage] for stage in stages], own, label)
    return Stages(core, tuple(tuple(stage) for stage in stages), own)


def contains(
    phrase: str,
    *,
    ignore_case: bool = False,
    whole_word: bool = False,
    own: bool = False,
    at_least: int = 1,
    at_most: int | None = None,
) -> Constraint:
    """Texts that hold the phrase, counted without overlap, `at_least` and, if given, `at_most` times.

    own: among the members of one `&`, every own phrase needs an occurrence of its own: spans that overlap those of
        no other (so `Jose` beside `San Jose` must be said again). Control-DAG's hard lexical constraint is the default
        `.*(phrase).*`.
    """
    wanted = Phrase(phrase, ignore_case, whole_word)
    if at_least < 0 or (at_most is not None and at_most < max(at_least, 0)):
        raise InvalidInput.of("at_least, at_most", "satisfy 0 <= at_least <= at_most", (at_least, at_most))
    if at_least == 0 and at_most is None:
        raise InvalidInput.of("at_least", "be at least 1 unless at_most is given", at_least)
    times = "" if at_least == 1 else f", at_least={at_least}"
    label = f"contains({phrase!r}{times})"
    more: Constraint | None = None
    if at_most is not None:
        # At most n is: not n + 1.
        more = ~_stages([[wanted]] * (at_most + 1), f"contains({phrase!r}, at_least={at_most + 1})")
    if at_least == 0:
        assert more is not None
        return more
    base = _stages([[wanted]] * at_least, label, own=own)
    return base if more is None else base & more


def any_of(*phrases: str, ignore_case: bool = False, whole_word: bool = False) -> Constraint:
    """Texts that hold at least one of the phrases."""
    alternatives = [Phrase(phrase, ignore_case, whole_word) for phrase in phrases]
    return _stages([alternatives], f"any_of({', '.join(map(repr, phrases))})")


def in_order(*phrases: str, ignore_case: bool = False, whole_word: bool = False) -> Constraint:
    """Texts that hold the phrases one after another, without overlap."""
    stages = [[Phrase(phrase, ignore_case, whole_word)] for phrase in phrases]
    return _stages(stages, f"in_order({', '.join(map(repr, phrases))})")
